#include "data/phrasebook/book.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"

namespace dhyan::phrases {

namespace {

constexpr std::size_t kHeldOutPairs = 500;
constexpr std::size_t kCandidates = 1000;  // some will have words that train has not
constexpr std::size_t kShortest = 2, kLongest = 40;

// FNV-1a
std::uint64_t hash(std::string_view text) {
  std::uint64_t state = 0xcbf29ce484222325;
  for (const char c : text) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return state ^ state >> 32;
}

std::size_t word_count(std::string_view text) { return 1 + static_cast<std::size_t>(std::ranges::count(text, ' ')); }

Part any_sentence(const Grammar& grammar, Draw& draw) {
  unsigned total = 0;
  for (const Family& family : grammar.families) total += family.weight;
  auto left = static_cast<unsigned>(draw.below(total));
  for (const Family& family : grammar.families) {
    if (left < family.weight) return family.make(draw);
    left -= family.weight;
  }
  throw UsageError("phrasebook: a grammar without families");
}

// Where a sentence belongs; null if nowhere.
std::vector<Entry>* place_for(const Grammar& grammar, const Entry& entry, Book& book) {
  bool dev = false, test = false;
  for (const std::string& combination : entry.combinations) {
    const Split split = split_of(grammar, combination);
    dev = dev || split == Split::kDev;
    test = test || split == Split::kTest;
  }
  if (dev && test) return nullptr;
  if (!dev && !test) return &book.train;
  std::vector<Entry>& held_out = dev ? book.dev : book.test;
  return held_out.size() < kCandidates ? &held_out : nullptr;
}

void add_words(std::unordered_set<std::string>& known, const std::string& text) {
  for (Word& word : words(text, {})) known.insert(std::move(word.text));
}

bool all_known(const std::unordered_set<std::string>& known, const std::string& text) {
  return std::ranges::all_of(words(text, {}), [&](const Word& word) { return known.contains(word.text); });
}

void keep_known_words(const std::vector<Entry>& train, std::vector<Entry>& held_out) {
  std::unordered_set<std::string> sources, targets;
  for (const Entry& entry : train) {
    add_words(sources, entry.pair.source);
    add_words(targets, entry.pair.target);
  }
  std::erase_if(held_out, [&](const Entry& entry) {
    return !all_known(sources, entry.pair.source) || !all_known(targets, entry.pair.target);
  });
  if (held_out.size() > kHeldOutPairs) held_out.resize(kHeldOutPairs);
}

Entry finished(const Part& part, const Draw& draw) { return {to_pair(part), draw.combinations()}; }

}  // namespace

Split split_of(const Grammar& grammar, std::string_view combination) {
  if (std::ranges::find(grammar.held_out, combination) != grammar.held_out.end()) return Split::kTest;
  const std::uint64_t bucket = hash(combination) % 100;
  if (bucket < 2) return Split::kTest;
  return bucket < 4 ? Split::kDev : Split::kTrain;
}

Book make_book(const Grammar& grammar) {
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
  while (book.train.size() < grammar.train_pairs) {
    if (drawn == enough) throw UsageError(cat("phrasebook: ", grammar.pair, " has only ", book.train.size(), " pairs"));
    Draw draw(rng.split(drawn++));
    Entry entry = finished(any_sentence(grammar, draw), draw);
    const std::size_t length = word_count(entry.pair.source);
    if (length < kShortest || length > kLongest) continue;
    std::vector<Entry>* place = place_for(grammar, entry, book);
    if (place == nullptr || !seen.insert(entry.pair.source).second) continue;
    place->push_back(std::move(entry));
  }
  keep_known_words(book.train, book.dev);
  keep_known_words(book.train, book.test);
  return book;
}

}  // namespace dhyan::phrases
