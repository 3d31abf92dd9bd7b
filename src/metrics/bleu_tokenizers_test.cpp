#include "metrics/bleu_tokenizers.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "metrics/words.h"
#include "text/unicode.h"

namespace dhyan {
namespace {

// Tokens with one space between them.
std::string tokens(std::string_view tokenizer, std::string_view line) {
  const std::u32string separated = bleu_tokenizer(tokenizer).separate(to_utf32(line));
  std::u32string joined;
  for (const std::u32string_view word : split_words(separated)) {
    if (!joined.empty()) joined += U' ';
    joined += word;
  }
  return to_utf8(joined);
}

TEST(Tokenizer13a, KeepsPointsAndCommasInsideOfNumbers) {
  EXPECT_EQ(tokens("13a", "It cost $1,234.56, not 5."), "It cost $ 1,234.56 , not 5 .");
  EXPECT_EQ(tokens("13a", ".5 and 5.x"), ". 5 and 5 . x");
}

TEST(Tokenizer13a, KeepsApostrophesAndHyphensInWords) {
  EXPECT_EQ(tokens("13a", "don't over-think 1990-2000"), "don't over-think 1990 - 2000");
}

TEST(Tokenizer13a, UnescapesAndRemovesTextAsMtevalDoes) {
  EXPECT_EQ(tokens("13a", "a &amp; b &lt;c&gt; &quot;d&quot; <skipped>e"), "a & b < c > \" d \" e");
  EXPECT_EQ(tokens("13a", "&amp;lt;"), "<") << "one after the other, as mteval does";
  EXPECT_EQ(tokens("13a", "exam-\nple\nx"), "example x");
}

TEST(Tokenizer13a, MatchesPairsWithoutOverlap) {
  EXPECT_EQ(tokens("13a", "wait..."), "wait . . .");
  EXPECT_EQ(tokens("13a", "a.,b"), "a . , b");
  EXPECT_EQ(tokens("13a", "a..5"), "a . .5") << "the second point was not seen beside the first";
}

TEST(Tokenizer13a, SplitsAsciiPunctuationOnly) {
  EXPECT_EQ(tokens("13a", "मैं खाना खा रहा हूँ। ठीक!"), "मैं खाना खा रहा हूँ। ठीक !");
}

TEST(TokenizerInternational, SplitsPunctuationOfEveryScript) {
  EXPECT_EQ(tokens("intl", "मैं खा रहा हूँ। ₹५,०००"), "मैं खा रहा हूँ । ₹ ५,०००");
  EXPECT_EQ(tokens("intl", "«Déjà-vu», dit-il…"), "« Déjà - vu » , dit - il …");
}

TEST(TokenizerInternational, KeepsThePointAfterANumberAtTheEndOfALine) {
  EXPECT_EQ(tokens("intl", "in 2019."), "in 2019.");
  EXPECT_EQ(tokens("intl", "in 2019. Then"), "in 2019 . Then");
}

TEST(TokenizerZh, SplitsChineseCharactersAndAsciiPunctuation) {
  EXPECT_EQ(tokens("zh", " 我在Paris吃了1.5碗饭。"), "我 在 Paris 吃 了 1.5 碗 饭 。");
  EXPECT_EQ(tokens("zh", "ab, “c”"), "ab , “ c ”");
  EXPECT_EQ(tokens("zh", "a."), "a .");
}

TEST(TokenizerChar, MakesEveryCharacterAToken) { EXPECT_EQ(tokens("char", "a हूँ"), "a ह ू ँ"); }

TEST(TokenizerNone, DoesNotChangeTheLine) { EXPECT_EQ(tokens("none", " a,b  c. "), "a,b c."); }

TEST(BleuTokenizers, AreFoundByName) {
  EXPECT_EQ(thrown<ConfigError>([] { bleu_tokenizer("13b"); }), "tokenize: '13b' is none of 13a, intl, zh, char, none");
}

TEST(BleuTokenizers, AcceptAnEmptyLine) {
  for (const BleuTokenizer& tokenizer : bleu_tokenizers()) EXPECT_EQ(tokens(tokenizer.name, ""), "") << tokenizer.name;
}

}  // namespace
}  // namespace dhyan
