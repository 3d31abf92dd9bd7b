#include "translator/shortlist.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <map>

#include "core/error.h"
#include "core/file.h"
#include "core/number_text.h"
#include "text/vocabulary.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

TokenMap<TokenId> ids_of(const Tokenizer& tokenizer) {
  TokenMap<TokenId> ids;
  for (TokenId id = static_cast<TokenId>(kSpecialTokens.size()); id < tokenizer.size(); ++id) {
    ids.emplace(tokenizer.piece(id), id);
  }
  return ids;
}

// Whether a number outside the range of a double is too small rather than too large.
bool is_tiny(std::string_view text) {
  return text.starts_with("0.") || text.find("e-") != text.npos || text.find("E-") != text.npos;
}

double probability_in(std::string_view text, const LineReader& lexicon) {
  double probability = 0;
  const auto [end, error] = number_from_chars(text.data(), text.data() + text.size(), probability);
  const bool tiny = error == std::errc::result_out_of_range && is_tiny(text);
  if (tiny) probability = 0;
  const bool fine = (error == std::errc() || tiny) && end == text.data() + text.size();
  if (!fine || !(probability >= 0 && probability <= 1)) {
    lexicon.fail(cat("'", text, "' is not a probability; expected a target word, a source word and a number up to 1"));
  }
  return probability;
}

// extract_lex writes NULL for a word that has no translation; <unk> is not a word of any vocabulary.
bool is_no_word(std::string_view word) { return word == "NULL" || word == kSpecialTokens[kUnknown]; }

void expect_most_known(std::uint64_t known, std::uint64_t entries, std::string_view name) {
  constexpr std::string_view kRemedy = "; make it with dhyan data lexicon -m MODEL";
  if (known == 0) throw DataError(cat(name, ": has no words that the model knows", kRemedy));
  if (2 * known >= entries) return;
  throw DataError(cat(name, ": the model knows the tokens of ", grouped(known), " of ", grouped(entries), " entries (",
                      fixed(100 * static_cast<double>(known) / static_cast<double>(entries), 1),
                      " %), expected at least half", kRemedy));
}

struct TranslatedWord {
  double probability = 0;
  TokenId word = 0;
};

}  // namespace

Shortlist::Shortlist(LineReader& lexicon, const TokenizerPair& tokenizers, const ShortlistOptions& options) {
  const TokenMap<TokenId> sources = ids_of(*tokenizers.source), targets = ids_of(*tokenizers.target);
  std::map<TokenId, std::vector<TranslatedWord>> known;
  std::uint64_t entries = 0, known_entries = 0;
  for (std::string_view line; lexicon.next(line);) {
    const std::vector<ByteRange> fields = word_ranges(line);
    if (fields.empty()) continue;
    if (fields.size() != 3) lexicon.fail(cat("has ", fields.size(), " fields; expected target, source, probability"));
    const double probability = probability_in(part(line, fields[2]), lexicon);
    const auto target = targets.find(part(line, fields[0]));
    const auto source = sources.find(part(line, fields[1]));
    if (is_no_word(part(line, fields[0])) || is_no_word(part(line, fields[1]))) continue;
    ++entries;
    if (target == targets.end() || source == sources.end()) continue;
    ++known_entries;
    known[source->second].push_back({probability, target->second});
  }
  expect_most_known(known_entries, entries, lexicon.name());
  begins_.assign(static_cast<std::size_t>(tokenizers.source->size() + 1), 0);
  std::size_t next = 0;  // source words up to here have their words
  for (auto& [source, words] : known) {
    std::ranges::stable_sort(words, std::ranges::greater(), &TranslatedWord::probability);
    if (std::ssize(words) > options.best) words.resize(static_cast<std::size_t>(options.best));
    while (next <= static_cast<std::size_t>(source)) begins_[next++] = words_.size();
    for (const TranslatedWord& one : words) words_.push_back(one.word);
  }
  while (next < begins_.size()) begins_[next++] = words_.size();
  allow_first(*tokenizers.target, options.first, false);
}

Shortlist::Shortlist(const MarianShortlist& imported, const TokenizerPair& tokenizers, std::string_view where)
    : begins_(imported.begins),
      words_(imported.words),
      own_words_(tokenizers.source->fingerprint() == tokenizers.target->fingerprint()) {
  const Index sources = std::ssize(begins_) - 1, targets = tokenizers.target->size();
  const TokenId last = words_.empty() ? 0 : std::ranges::max(words_);
  if (sources != tokenizers.source->size() || last >= targets) {
    throw ModelFileError(cat(where, ": lists words up to ", last, " for ", sources,
                             " source words; the vocabularies have ", tokenizers.source->size(), " and ", targets));
  }
  allow_first(*tokenizers.target, imported.first, true);
}

// Byte tokens precede all words and are rarely needed; Marian counts them.
void Shortlist::allow_first(const Tokenizer& target, Index count, bool with_bytes) {
  target_size_ = target.size();
  always_ = {kUnknown, kEnd};
  for (auto id = static_cast<TokenId>(kSpecialTokens.size()); id < target.size() && count > 0; ++id) {
    if (!with_bytes && target.is_byte(id)) continue;
    always_.push_back(id);
    --count;
  }
}

// A bit for each word of the vocabulary is faster than sorting.
std::vector<TokenId> Shortlist::words_for(std::span<const TokenId> source) const {
  constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> allowed((static_cast<std::size_t>(target_size_) + kBits - 1) / kBits);
  const auto allow = [&](TokenId word) {
    allowed[static_cast<std::size_t>(word) / kBits] |= std::uint64_t{1} << static_cast<std::size_t>(word) % kBits;
  };
  std::ranges::for_each(always_, allow);
  for (const TokenId token : source) {
    const auto word = static_cast<std::size_t>(token);
    if (own_words_) allow(token);
    for (std::uint64_t i = begins_[word]; i < begins_[word + 1]; ++i) allow(words_[static_cast<std::size_t>(i)]);
  }
  std::vector<TokenId> words;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    for (std::uint64_t left = allowed[i]; left != 0; left &= left - 1) {
      words.push_back(static_cast<TokenId>(i * kBits + static_cast<std::size_t>(std::countr_zero(left))));
    }
  }
  return words;
}

std::shared_ptr<const Shortlist> load_shortlist(const std::filesystem::path& folder, const TokenizerPair& tokenizers) {
  const std::filesystem::path path = folder / kShortlistFile;
  const MappedFile file(path);
  auto shortlist =
      std::make_shared<const Shortlist>(parse_marian_shortlist(path.string(), file.bytes()), tokenizers, path.string());
  file.expect_unchanged();
  return shortlist;
}

void copy_shortlist(const std::filesystem::path& from, const std::filesystem::path& to) {
  const MappedFile file(from / kShortlistFile);
  AtomicFile copy(to / kShortlistFile);
  copy.write(file.bytes());
  copy.commit();
}

}  // namespace dhyan
