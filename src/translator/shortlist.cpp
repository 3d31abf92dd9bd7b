#include "translator/shortlist.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"
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
  for (auto& [source, words] : known) {
    std::ranges::stable_sort(words, std::ranges::greater(), &TranslatedWord::probability);
    if (std::ssize(words) > options.best) words.resize(static_cast<std::size_t>(options.best));
    for (const TranslatedWord& one : words) translations_[source].push_back(one.word);
  }
  always_ = {kUnknown, kEnd};
  Index left = options.first;
  for (auto id = static_cast<TokenId>(kSpecialTokens.size()); id < tokenizers.target->size() && left > 0; ++id) {
    if (tokenizers.target->is_byte(id)) continue;  // byte tokens precede all words and are rarely needed
    always_.push_back(id);
    --left;
  }
}

std::vector<TokenId> Shortlist::words_for(std::span<const TokenId> source) const {
  std::vector<TokenId> words = always_;
  for (const TokenId token : source) {
    const auto found = translations_.find(token);
    if (found != translations_.end()) words.insert(words.end(), found->second.begin(), found->second.end());
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace dhyan
