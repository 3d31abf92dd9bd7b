#include "text/word_boundary.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "text/character_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/testing/small_subwords.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

// The pieces that continue the last word of a text.
std::vector<std::string> continuing_pieces(const Tokenizer& tokenizer, std::string_view text) {
  const WordBoundary boundary(tokenizer);
  std::vector<std::string> pieces;
  for (const TokenId id : boundary.continuing(text)) pieces.emplace_back(tokenizer.piece(id));
  std::ranges::sort(pieces);
  return pieces;
}

using Pieces = std::vector<std::string>;

TEST(WordBoundary, FollowsEveryWordToken) {
  EXPECT_EQ(continuing_pieces(trained_on<WordTokenizer>({"I am eating"}), "I am"), Pieces{});
}

TEST(WordBoundary, IsABlankOrPunctuationForCharacters) {
  const CharacterTokenizer tokenizer = trained_on<CharacterTokenizer>({"go o1n, बि"});
  const Pieces letters{"1", "g", "n", "o", "ब", "ि"};
  EXPECT_EQ(continuing_pieces(tokenizer, "go"), letters);
  EXPECT_EQ(continuing_pieces(tokenizer, "1"), letters);
  EXPECT_EQ(continuing_pieces(tokenizer, "बि"), letters);
  EXPECT_EQ(continuing_pieces(tokenizer, "go,"), Pieces{});
  EXPECT_EQ(continuing_pieces(tokenizer, "go "), Pieces{});
  EXPECT_EQ(continuing_pieces(tokenizer, ""), Pieces{});
}

TEST(WordBoundary, IsAnywhereInScriptsWithoutBlanksExceptBeforeAMark) {
  const CharacterTokenizer tokenizer = trained_on<CharacterTokenizer>({"中国かกิ่a"});
  EXPECT_EQ(continuing_pieces(tokenizer, "中"), (Pieces{"ิ", "่"}));
  EXPECT_EQ(continuing_pieces(tokenizer, "ก"), (Pieces{"ิ", "่"}));
  EXPECT_EQ(continuing_pieces(tokenizer, "a"), (Pieces{"a", "ิ", "่"})) << "another script is another word";
}

TEST(WordBoundary, IsTheSpaceMarkForSubwords) {
  for (const bool bytes : {false, true}) {
    const SentencePieceTokenizer tokenizer(small_subwords(SubwordAlgorithm::kBpe, bytes), "t");
    const std::string word = tokenizer.decode(tokenizer.encode("the").ids);
    const std::vector<std::string> continuing = continuing_pieces(tokenizer, word);
    ASSERT_FALSE(continuing.empty());
    for (const std::string& piece : continuing) EXPECT_FALSE(piece.starts_with("▁")) << piece;
    for (TokenId id = kEnd + 1; id < tokenizer.size(); ++id) {
      const bool blank = tokenizer.is_byte(id) && tokenizer.piece(id) == "<0x20>";
      const bool letter = tokenizer.piece(id) == "<0x61>" || tokenizer.piece(id) == "<0xE4>";
      if (!blank && !letter) continue;
      EXPECT_EQ(std::ranges::count(continuing, tokenizer.piece(id)), letter) << tokenizer.piece(id);
    }
  }
}

}  // namespace
}  // namespace dhyan
