#include "translator/unknown_words.h"

#include <algorithm>

#include "core/error.h"
#include "data/lines.h"
#include "explain/attention_choice.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

bool is_unknown(const Tokenizer& tokenizer, TokenId id) { return id == kUnknown || tokenizer.is_byte(id); }

// A word without the punctuation at its ends; empty if it has nothing else.
ByteRange without_punctuation(std::string_view line, ByteRange word) {
  ByteRange rest{word.end, word.end};
  for (const Character& character : Characters(part(line, word))) {
    if (major_category(character.code) == 'P') continue;
    rest = {std::min(rest.begin, word.begin + character.begin), word.begin + character.end};
  }
  return rest;
}

std::vector<ByteRange> unknown_parts_of_word(const Tokenizer& tokenizer, std::string_view line, ByteRange word) {
  const ByteRange rest = without_punctuation(line, word);
  const Encoded alone = tokenizer.encode(part(line, rest));
  if (alone.ids.empty() || std::ranges::find(alone.ids, kUnknown) != alone.ids.end()) return {word};
  std::vector<ByteRange> ends{{word.begin, rest.begin}, {rest.end, word.end}};
  std::erase_if(ends, [](ByteRange end) { return end.begin == end.end; });
  return ends;
}

}  // namespace

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
    ++(is_unknown(tokenizer, line.ids[i]) ? unknown : known);
  }
  return {known, unknown};
}

std::vector<std::vector<ByteRange>> unknown_parts(const Tokenizer& tokenizer, std::string_view line,
                                                  const Encoded& encoded) {
  std::vector<std::vector<ByteRange>> parts(encoded.ids.size());
  for (std::size_t i = 0; i < encoded.ids.size(); ++i) {
    const ByteRange piece = encoded.pieces[i];
    if (piece.begin == piece.end || !is_unknown(tokenizer, encoded.ids[i])) continue;
    parts[i] = tokenizer.cuts_at_spaces_only() ? unknown_parts_of_word(tokenizer, line, piece) : std::vector{piece};
  }
  return parts;
}

}  // namespace dhyan
