#include "text/tokenizer.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "text/character_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/testing/small_corpus.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

using Ids = std::vector<TokenId>;

std::vector<std::string> texts(const Decoded& decoded) {
  std::vector<std::string> texts;
  Index last = 0;
  for (const ByteRange& range : decoded.pieces) {
    EXPECT_EQ(range.begin, last);
    texts.emplace_back(part(decoded.text, range));
    last = range.end;
  }
  EXPECT_EQ(last, static_cast<Index>(decoded.text.size()));
  return texts;
}

TEST(DecodedPieces, IncludeTheSpaceBeforeAWord) {
  const auto words = trained_on<WordTokenizer>({"मैं खाना"});
  Ids ids = words.encode("खाना मैं").ids;
  ids.push_back(kEnd);
  EXPECT_EQ(texts(decode_pieces(words, ids)), (std::vector<std::string>{"खाना", " मैं", ""}));
}

TEST(DecodedPieces, AreTheCharactersForACharacterTokenizer) {
  const auto characters = trained_on<CharacterTokenizer>({"a b"});
  EXPECT_EQ(texts(decode_pieces(characters, characters.encode("b ax").ids)),
            (std::vector<std::string>{"b", " ", "a", "\uFFFD"}));
}

TEST(DecodedPieces, AreEmptyWithoutTokens) {
  const auto words = trained_on<WordTokenizer>({"a"});
  EXPECT_TRUE(decode_pieces(words, Ids{}).pieces.empty());
  EXPECT_EQ(texts(decode_pieces(words, Ids{kEnd})), (std::vector<std::string>{""}));
}

TEST(DecodedPieces, AssignACharacterToItsLastByte) {
  const std::vector<std::string> corpus = small_corpus();
  TrainingReport report;
  const SentencePieceTokenizer subwords(
      train_sentencepiece(SubwordAlgorithm::kUnigram, lines_of(corpus),
                          {.vocabulary_size = 94, .character_coverage = 1, .byte_fallback = true}, report),
      "test");
  const std::string line = "the 日 boy";
  const Decoded decoded = decode_pieces(subwords, subwords.encode(line).ids);
  EXPECT_EQ(decoded.text, line);
  const std::vector<std::string> pieces = texts(decoded);
  const auto character =
      std::ranges::find_if(pieces, [](const std::string& piece) { return piece.find("日") != std::string::npos; });
  ASSERT_NE(character, pieces.end());
  EXPECT_EQ(*(character - 1), "");
  EXPECT_EQ(*(character - 2), "");
}

}  // namespace
}  // namespace dhyan
