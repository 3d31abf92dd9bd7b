#include "translator/unknown_words.h"

#include <algorithm>

#include "core/error.h"
#include "data/lines.h"
#include "explain/attention_choice.h"

namespace dhyan {

TokenMap<std::string> read_dictionary(const std::string& file) {
  TokenMap<std::string> dictionary;
  LineReader lines(file, {});
  for (std::string_view line; lines.next(line);) {
    const std::size_t tab = line.find('\t');
    if (tab == 0 || tab == line.npos) lines.fail("expected a word, a tab and its translation");
    dictionary.emplace(line.substr(0, tab), line.substr(tab + 1));
  }
  return dictionary;
}

std::string text_without_unknown(const Hypothesis& hypothesis, std::string_view source,
                                 std::span<const TokenId> source_tokens, const TokenizerPair& tokenizers,
                                 const UnknownReplacement& replacement) {
  const Decoded decoded = decode_pieces(*tokenizers.target, hypothesis.tokens);
  if (std::ranges::find(hypothesis.tokens, kUnknown) == hypothesis.tokens.end()) return decoded.text;
  const TokenUnits words = source_units(*tokenizers.source, source, source_tokens, Units::kWords);
  const TokenUnits tokens = target_units(*tokenizers.target, hypothesis.tokens, Units::kSubwords);
  const AttentionChoice choice{.layer = replacement.layer, .summary = Summary::kMean};
  const AttentionMap map = attention_maps(hypothesis.attention, {words, tokens}, choice).front();
  std::string text;
  for (std::size_t t = 0; t < hypothesis.tokens.size(); ++t) {
    const std::string_view piece = part(decoded.text, decoded.pieces[t]);
    if (hypothesis.tokens[t] != kUnknown) {
      text += piece;
      continue;
    }
    const std::span<const double> looked = std::span(map.weights[tokens.unit_of[t]]).first(words.labels.size() - 1);
    const std::string& word = words.labels[static_cast<std::size_t>(std::ranges::max_element(looked) - looked.begin())];
    const auto known = replacement.dictionary.find(word);
    if (piece.starts_with(' ') && !text.empty()) text += ' ';
    text += known == replacement.dictionary.end() ? word : known->second;
  }
  return text;
}

std::pair<Index, Index> known_and_unknown(const Tokenizer& tokenizer, const Encoded& line) {
  Index known = 0, unknown = 0;
  for (std::size_t i = 0; i < line.ids.size(); ++i) {
    if (line.pieces[i].begin == line.pieces[i].end) continue;
    ++(line.ids[i] == kUnknown || tokenizer.is_byte(line.ids[i]) ? unknown : known);
  }
  return {known, unknown};
}

}  // namespace dhyan
