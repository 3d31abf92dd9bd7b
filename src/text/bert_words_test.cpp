#include "text/bert_words.h"

#include <gtest/gtest.h>

#include "text/unicode.h"

namespace dhyan {
namespace {

using Words = std::vector<std::string>;

Words words(std::string_view line, BertLetters letters = BertLetters::kLowerWithoutAccents) {
  Words texts;
  for (const BertWord& word : bert_words(line, letters)) {
    std::string& text = texts.emplace_back();
    for (const BertCharacter& character : word) append_utf8(text, character.code);
  }
  return texts;
}

TEST(BertWords, AreCutAtSpacesPunctuationAndChineseCharacters) {
  EXPECT_EQ(words("I can't, $5\u00A0now 我在x"), (Words{"i", "can", "'", "t", ",", "$", "5", "now", "我", "在", "x"}));
  EXPECT_EQ(words(" \t "), Words{});
}

TEST(BertWords, LoseCaseAndAccentsAsAsked) {
  EXPECT_EQ(words("Élan"), (Words{"elan"}));
  EXPECT_EQ(words("Élan", BertLetters::kLower), (Words{"élan"}));
  EXPECT_EQ(words("Élan", BertLetters::kKept), (Words{"Élan"}));
}

TEST(BertWords, LeaveControlCharactersOutAndKeepRangesWhole) {
  const std::string line = "a\u200Be\u0301 b";
  const std::vector<BertWord> found = bert_words(line, BertLetters::kLowerWithoutAccents);
  ASSERT_EQ(found.size(), 2u);
  ASSERT_EQ(found[0].size(), 2u);
  EXPECT_EQ(found[0][0].range, (ByteRange{0, 4}));
  EXPECT_EQ(found[0][1].range, (ByteRange{4, 7}));
}

}  // namespace
}  // namespace dhyan
