#include <algorithm>

#include "text/merge_learner.h"
#include "text/merges_tokenizer.h"
#include "text/unicode.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

constexpr std::string_view kContinues = "@@", kWordEnd = "</w>";

// The characters of a word; the last one carries the mark of the word's end.
std::vector<std::string> marked_characters(std::string_view word) {
  std::vector<std::string> symbols;
  for (const Character& character : Characters(word))
    symbols.emplace_back(part(word, {character.begin, character.end}));
  if (!symbols.empty()) symbols.back() += kWordEnd;
  return symbols;
}

// A symbol of the merges as a token of the vocabulary.
std::string token_of_symbol(const std::string& symbol) {
  if (symbol.size() > kWordEnd.size() && symbol.ends_with(kWordEnd))
    return symbol.substr(0, symbol.size() - kWordEnd.size());
  return symbol + std::string(kContinues);
}

}  // namespace

Encoded SubwordNmtTokenizer::encode(std::string_view line) const {
  require_utf8(line, "encode");
  Encoded encoded;
  for (const ByteRange& word : word_ranges(line)) {
    const std::vector<std::string> symbols = marked_characters(part(line, word));
    Index begin = word.begin;
    for (const PairMerges::Merged& merged : merges().apply(symbols)) {
      std::string symbol;
      for (std::size_t i = merged.begin; i < merged.end; ++i) symbol += symbols[i];
      const bool ends = merged.end == symbols.size();
      const Index end = begin + std::ssize(symbol) - (ends ? std::ssize(kWordEnd) : 0);
      encoded.ids.push_back(vocabulary().id(token_of_symbol(symbol)));
      encoded.pieces.push_back({begin, end});
      begin = end;
    }
  }
  return encoded;
}

std::string SubwordNmtTokenizer::decode(std::span<const TokenId> ids) const {
  std::string line;
  bool inside = true;  // of a word, or at the beginning
  for (const TokenId id : ids) {
    std::string_view token = vocabulary().token(id);
    if (stands_for_no_text(id)) continue;
    if (!inside) line += ' ';
    inside = token.ends_with(kContinues) && token.size() > kContinues.size();
    if (inside) token.remove_suffix(kContinues.size());
    line += token;
  }
  return line;
}

TrainedTokenizer SubwordNmtTokenizer::train(const LineSource& lines, const TokenizerOptions& options) {
  const auto count_line = [](std::string_view line, SymbolCounts& counts) {
    for (const ByteRange& word : word_ranges(line)) ++counts[marked_characters(part(line, word))];
  };
  const auto join = [](std::string_view first, std::string_view second) {
    return std::string(first) + std::string(second);
  };
  const MergeLearner learner(lines, options, count_line);
  const LearnedMerges learned = learner.learn(join, {});
  std::vector<std::string> tokens;
  for (const std::string& symbol : learned.symbols) {
    std::string token = token_of_symbol(symbol);
    if (!is_special_token(token) && std::ranges::find(tokens, token) == tokens.end())
      tokens.push_back(std::move(token));
  }
  return {std::make_unique<SubwordNmtTokenizer>(vocabulary_of(tokens), PairMerges(learned.merges)), learner.report()};
}

}  // namespace dhyan
