#include "phrasebook/book.h"

#include <algorithm>
#include <unordered_set>

#include "core/error.h"

namespace dhyan::phrases {

namespace {

constexpr std::size_t kHeldOutPairs = 500;
constexpr std::size_t kCandidates = 600;  // some are dropped later because train lacks their words
constexpr std::size_t kShortest = 2;

// FNV-1a
std::uint64_t hash(std::string_view text) {
  std::uint64_t state = 0xcbf29ce484222325;
  for (const char c : text) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return state ^ state >> 32;
}

std::size_t word_count(std::string_view text) { return 1 + static_cast<std::size_t>(std::ranges::count(text, ' ')); }

std::vector<Family> families_of(const Grammar& grammar, std::size_t max_words) {
  std::vector<Family> families(grammar.families.begin(), grammar.families.end());
  if (max_words > kUsualWords) families.insert(families.end(), grammar.longer.begin(), grammar.longer.end());
  return families;
}

Part any_sentence(std::span<const Family> families, Draw& draw) {
  unsigned total = 0;
  for (const Family& family : families) total += family.weight;
  auto left = static_cast<unsigned>(draw.below(total));
  for (const Family& family : families) {
    if (left < family.weight) return family.make(draw);
    left -= family.weight;
  }
  throw UsageError("phrasebook: a grammar without families");
}

// The split of a sentence; null if the sentence is dropped.
std::vector<Entry>* place_for(const Grammar& grammar, const Entry& entry, Book& book) {
  bool dev = false, test = false;
  for (const std::string& combination : entry.combinations) {
    const dhyan::Part part = part_of(grammar, combination);
    dev = dev || part == dhyan::Part::kDev;
    test = test || part == dhyan::Part::kTest;
  }
  if (dev && test) return nullptr;
  std::vector<Entry>& split = dev ? book.dev : test ? book.test : book.train;
  const std::size_t most = dev || test ? kCandidates : grammar.train_pairs;
  return split.size() < most ? &split : nullptr;
}

// Calls visit(word) for every word of a text until visit returns false. Returns whether it visited all.
template <class Visit>
bool each_word(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (!visit(text.substr(0, end))) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

// The words of both sides, as views into the entries.
class Vocabulary {
 public:
  explicit Vocabulary(const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) {
      each_word(entry.pair.source, [&](std::string_view word) { return sources_.insert(word), true; });
      each_word(entry.pair.target, [&](std::string_view word) { return targets_.insert(word), true; });
    }
  }

  bool knows(const PhrasePair& pair) const {
    return each_word(pair.source, [&](std::string_view word) { return sources_.contains(word); }) &&
           each_word(pair.target, [&](std::string_view word) { return targets_.contains(word); });
  }

 private:
  std::unordered_set<std::string_view> sources_, targets_;
};

void keep_known(const Vocabulary& vocabulary, std::vector<Entry>& held_out) {
  std::erase_if(held_out, [&](const Entry& entry) { return !vocabulary.knows(entry.pair); });
  if (held_out.size() > kHeldOutPairs) held_out.resize(kHeldOutPairs);
}

Entry finished(const Part& part, const Draw& draw) {
  Entry entry{to_pair(part), draw.combinations()};
  if (draw.referring()) entry.pair.it = coreference(part, entry.pair, *draw.referring());
  return entry;
}

}  // namespace

dhyan::Part part_of(const Grammar& grammar, std::string_view combination) {
  if (std::ranges::find(grammar.held_out, combination) != grammar.held_out.end()) return dhyan::Part::kTest;
  const std::uint64_t bucket = hash(combination) % 100;
  if (bucket < grammar.held_out_percent) return dhyan::Part::kTest;
  return bucket < 2 * grammar.held_out_percent ? dhyan::Part::kDev : dhyan::Part::kTrain;
}

Book make_book(const Grammar& grammar, std::size_t max_words) {
  const std::vector<Family> families = families_of(grammar, max_words);
  const Rng rng(hash(grammar.pair));
  Book book;
  std::unordered_set<std::string> seen;
  std::uint64_t drawn = 0;
  for (const auto make : grammar.shown) {
    Draw draw(rng.split(drawn++));
    book.test.push_back(finished(make(draw), draw));
    seen.insert(book.test.back().pair.source);
  }
  const std::uint64_t enough = 50 * grammar.train_pairs;
  while (book.train.size() < grammar.train_pairs || book.dev.size() < kCandidates || book.test.size() < kCandidates) {
    if (drawn == enough)
      throw UsageError(cat("phrasebook: ", grammar.pair, " has too few sentences of up to ", max_words, " words"));
    Draw draw(rng.split(drawn++));
    Entry entry = finished(any_sentence(families, draw), draw);
    const std::size_t length = word_count(entry.pair.source);
    if (length < kShortest || length > max_words) continue;
    std::vector<Entry>* place = place_for(grammar, entry, book);
    if (place == nullptr || !seen.insert(entry.pair.source).second) continue;
    place->push_back(std::move(entry));
  }
  const Vocabulary vocabulary(book.train);
  keep_known(vocabulary, book.dev);
  keep_known(vocabulary, book.test);
  return book;
}

}  // namespace dhyan::phrases
