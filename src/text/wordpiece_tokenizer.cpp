#include "text/wordpiece_tokenizer.h"

#include <algorithm>

#include "text/merge_learner.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

constexpr std::string_view kInside = "##", kClosing = ".,!?;:)";
constexpr std::size_t kMostCharacters = 100;  // characters

// Appends the pieces of a word; false if the vocabulary has none for a part of it.
bool append_pieces(const BertWord& word, const Vocabulary& vocabulary, Encoded& encoded) {
  for (std::size_t begin = 0; begin < word.size();) {
    std::string piece{begin == 0 ? "" : kInside};
    TokenId id = kUnknown;
    std::size_t end = begin;
    for (std::size_t next = begin; next < word.size(); ++next) {
      append_utf8(piece, word[next].code);
      if (const TokenId known = vocabulary.id(piece); known != kUnknown) {
        id = known;
        end = next + 1;
      }
    }
    if (id == kUnknown) return false;
    encoded.ids.push_back(id);
    encoded.pieces.push_back({word[begin].range.begin, word[end - 1].range.end});
    begin = end;
  }
  return true;
}

// Several characters may stand for the same bytes: a later piece of them is empty.
void separate_ranges(Encoded& encoded) {
  Index last = 0;
  for (ByteRange& range : encoded.pieces) {
    range.begin = std::max(range.begin, last);
    range.end = std::max(range.end, range.begin);
    last = range.end;
  }
}

std::string joined_pieces(std::string_view first, std::string_view second) {
  return std::string(first) + std::string(second.substr(kInside.size()));
}

}  // namespace

template <BertLetters kLetters>
Encoded WordPieceTokenizer<kLetters>::encode(std::string_view line) const {
  require_utf8(line, "encode");
  Encoded encoded;
  for (const BertWord& word : bert_words(line, kLetters)) {
    const std::size_t before = encoded.ids.size();
    if (word.size() <= kMostCharacters && append_pieces(word, vocabulary(), encoded)) continue;
    encoded.ids.resize(before);
    encoded.pieces.resize(before);
    encoded.ids.push_back(kUnknown);
    encoded.pieces.push_back({word.front().range.begin, word.back().range.end});
  }
  separate_ranges(encoded);
  return encoded;
}

template <BertLetters kLetters>
std::string WordPieceTokenizer<kLetters>::decode(std::span<const TokenId> ids) const {
  std::string line;
  for (const TokenId id : ids) {
    const std::string_view token = vocabulary().token(id);
    if (stands_for_no_text(id)) continue;
    if (!line.empty() && token.starts_with(kInside) && token.size() > kInside.size()) {
      line += token.substr(kInside.size());
      continue;
    }
    const bool closes = token.size() == 1 && kClosing.find(token.front()) != kClosing.npos;
    if (!line.empty() && !closes) line += ' ';
    line += token;
  }
  return line;
}

template <BertLetters kLetters>
TrainedTokenizer WordPieceTokenizer<kLetters>::train(const LineSource& lines, const TokenizerOptions& options) {
  const auto count_line = [](std::string_view line, SymbolCounts& counts) {
    for (const BertWord& word : bert_words(line, kLetters)) {
      std::vector<std::string> symbols;
      for (const BertCharacter& character : word) {
        append_utf8(symbols.emplace_back(symbols.empty() ? "" : kInside), character.code);
      }
      ++counts[symbols];
    }
  };
  MergeLearner learner(lines, options, count_line);
  const LearnedMerges learned = learner.learn(joined_pieces, {});
  return {std::make_unique<WordPieceTokenizer>(vocabulary_of(learned.symbols)), learner.report()};
}

template class WordPieceTokenizer<BertLetters::kLowerWithoutAccents>;
template class WordPieceTokenizer<BertLetters::kLower>;
template class WordPieceTokenizer<BertLetters::kKept>;

}  // namespace dhyan
