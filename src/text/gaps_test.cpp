#include "text/gaps.h"

#include <gtest/gtest.h>

#include "text/character_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/testing/small_corpus.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

constexpr std::string_view kMark = "[MASK]";

std::vector<std::string> pieces_around_gaps(const Tokenizer& tokenizer, std::string_view line) {
  const Encoded encoded = encode_gapped(tokenizer, line, kMark);
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < encoded.ids.size(); ++i) {
    const bool gap = encoded.ids[i] == kGapToken;
    EXPECT_TRUE(!gap || part(line, encoded.pieces[i]) == kMark);
    pieces.emplace_back(gap ? "_" : tokenizer.piece(encoded.ids[i]));
  }
  return pieces;
}

SentencePieceTokenizer subwords_with(bool byte_fallback) {
  const std::vector<std::string> corpus = small_corpus();
  TrainingReport report;
  return SentencePieceTokenizer(
      train_sentencepiece(
          SubwordAlgorithm::kUnigram, lines_of(corpus),
          {.vocabulary_size = byte_fallback ? 94 : 110, .character_coverage = 1, .byte_fallback = byte_fallback},
          report),
      "test");
}

using Pieces = std::vector<std::string>;

TEST(Gaps, AreTokensBetweenWords) {
  const auto words = trained_on<WordTokenizer>({"I am here ."});
  EXPECT_EQ(pieces_around_gaps(words, "I [MASK] here ."), (Pieces{"I", "_", "here", "."}));
  EXPECT_EQ(pieces_around_gaps(words, "[MASK][MASK] am [MASK]."), (Pieces{"_", "_", "am", "_", "."}));
  EXPECT_EQ(pieces_around_gaps(words, "am[MASK]am"), (Pieces{"am", "_", "am"}));
  EXPECT_EQ(pieces_around_gaps(words, "I am"), (Pieces{"I", "am"}));
  EXPECT_TRUE(pieces_around_gaps(words, "").empty());
}

TEST(Gaps, KeepTheSpacesAroundCharacters) {
  const auto characters = trained_on<CharacterTokenizer>({"a b"});
  EXPECT_EQ(pieces_around_gaps(characters, "a [MASK]b"), (Pieces{"a", " ", "_", "b"}));
}

// Segmentation depends on the position: a comma after a gap must not become a word of its own.
TEST(Gaps, DoNotChangeTheOtherSubwords) {
  for (const bool byte_fallback : {false, true}) {
    const SentencePieceTokenizer subwords = subwords_with(byte_fallback);
    const std::string line = "the boy, the girl";
    const Encoded whole = subwords.encode(line);
    for (std::size_t i = 0; i < whole.ids.size(); ++i) {  // hide one piece after the other
      const std::string_view hidden = part(line, whole.pieces[i]);
      const bool is_word = std::string_view(subwords.piece(whole.ids[i])).starts_with("▁");
      const bool follows_a_space = i > 0 && subwords.piece(whole.ids[i - 1]) == "▁";  // a gap stands for both
      if (hidden.empty() || hidden == " " || follows_a_space) continue;
      const Index skipped = is_word && hidden.front() == ' ' ? 1 : 0;
      std::string gapped = line;
      gapped.replace(static_cast<std::size_t>(whole.pieces[i].begin + skipped),
                     hidden.size() - static_cast<std::size_t>(skipped), kMark);
      std::vector<TokenId> expected = whole.ids;
      expected[i] = kGapToken;
      EXPECT_EQ(encode_gapped(subwords, gapped, kMark).ids, expected) << gapped;
    }
  }
}

TEST(Gaps, DoNotChangeTheRangesOfOtherPieces) {
  const auto words = trained_on<WordTokenizer>({"I am here"});
  const std::string line = "I [MASK] here [MASK] am";
  const Encoded encoded = encode_gapped(words, line, kMark);
  ASSERT_EQ(encoded.pieces.size(), 5U);
  EXPECT_EQ(part(line, encoded.pieces[2]), "here");
  EXPECT_EQ(part(line, encoded.pieces[4]), "am");
}

}  // namespace
}  // namespace dhyan
