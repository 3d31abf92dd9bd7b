#include "translator/shortlist.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"
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

// Of a number that no double has: it is not too large but too small.
bool is_tiny(std::string_view text) {
  return text.starts_with("0.") || text.find("e-") != text.npos || text.find("E-") != text.npos;
}

double probability_in(std::string_view text, const LineReader& lexicon) {
  double probability = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), probability);
  const bool tiny = error == std::errc::result_out_of_range && is_tiny(text);
  if (tiny) probability = 0;
  const bool fine = (error == std::errc() || tiny) && end == text.data() + text.size();
  if (!fine || !(probability >= 0 && probability <= 1)) {
    lexicon.fail(cat("'", text, "' is no probability; expected a target word, a source word and a number up to 1"));
  }
  return probability;
}

struct TranslatedWord {
  double probability = 0;
  TokenId word = 0;
};

}  // namespace

Shortlist::Shortlist(LineReader& lexicon, const TokenizerPair& tokenizers, const ShortlistOptions& options) {
  const TokenMap<TokenId> sources = ids_of(*tokenizers.source), targets = ids_of(*tokenizers.target);
  std::map<TokenId, std::vector<TranslatedWord>> known;
  for (std::string_view line; lexicon.next(line);) {
    const std::vector<ByteRange> fields = word_ranges(line);
    if (fields.empty()) continue;
    if (fields.size() != 3) lexicon.fail(cat("has ", fields.size(), " fields; expected target, source, probability"));
    const double probability = probability_in(part(line, fields[2]), lexicon);
    const auto target = targets.find(part(line, fields[0]));
    const auto source = sources.find(part(line, fields[1]));
    if (target != targets.end() && source != sources.end())
      known[source->second].push_back({probability, target->second});
  }
  if (known.empty()) throw DataError(cat(lexicon.name(), ": has no words that the model knows"));
  for (auto& [source, words] : known) {
    std::ranges::stable_sort(words, std::ranges::greater(), &TranslatedWord::probability);
    if (std::ssize(words) > options.best) words.resize(static_cast<std::size_t>(options.best));
    for (const TranslatedWord& one : words) translations_[source].push_back(one.word);
  }
  always_ = {kUnknown, kEnd};
  const Index words = tokenizers.target->size() - std::ssize(kSpecialTokens);
  for (Index i = 0; i < std::min(words, options.first); ++i) {
    always_.push_back(static_cast<TokenId>(std::ssize(kSpecialTokens) + i));
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
