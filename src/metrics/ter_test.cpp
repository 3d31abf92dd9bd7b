#include "metrics/ter.h"

#include <gtest/gtest.h>

#include "metrics/words.h"
#include "text/unicode.h"

namespace dhyan {
namespace {

double ter(std::string_view hypothesis, const std::vector<std::string>& references, const TerOptions& options = {}) {
  const Ter metric(options);
  return metric.score(metric.counts(hypothesis, references));
}

// Words with one space between them.
std::string tercom_words(std::string_view line, const TerOptions& options) {
  const std::u32string text = tercom_tokenized(line, options);
  std::string joined;
  for (const std::u32string_view word : split_words(text)) joined += (joined.empty() ? "" : " ") + to_utf8(word);
  return joined;
}

TEST(Ter, CountsEditsPerReferenceWord) {
  EXPECT_DOUBLE_EQ(ter("a b c x", {"a b c d"}), 25);
  EXPECT_DOUBLE_EQ(ter("c d a b", {"a b c d"}), 25) << "one shift";
  EXPECT_DOUBLE_EQ(ter("a a a a", {"b"}), 400);
}

TEST(Ter, TakesTheFewestEditsAndTheMeanLengthOfReferences) {
  EXPECT_DOUBLE_EQ(ter("a b", {"a b", "a b c d e f"}), 0);
  EXPECT_DOUBLE_EQ(ter("a x", {"a b", "a b c d e f"}), 25) << "1 edit, 4 words";
}

TEST(Ter, HandlesEmptyTexts) {
  EXPECT_EQ(ter("", {""}), 0);
  EXPECT_EQ(ter("a b", {""}), 100);
  EXPECT_EQ(ter("", {"a b"}), 100);
}

TEST(Ter, IgnoresCaseByDefault) {
  EXPECT_EQ(ter("The Cat", {"the cat"}), 0);
  EXPECT_EQ(ter("The Cat", {"the cat"}, {.case_sensitive = true}), 100);
}

TEST(TercomTokenizer, KeepsWordsUnlessNormalised) {
  EXPECT_EQ(tercom_words("He's \"here\", No.", {}), "he's \"here\", no.");
  EXPECT_EQ(tercom_words("He's \"here\" &amp; costs 1,5.", {.normalized = true}), "he 's \" here \" & costs 1,5 .");
}

TEST(TercomTokenizer, RemovesPunctuationOnRequest) {
  EXPECT_EQ(tercom_words("(a) b, c! \"d\" e-f", {.no_punct = true}), "a b c d e-f");
  EXPECT_EQ(tercom_words("我，你。", {.no_punct = true}), "我，你。");
  EXPECT_EQ(tercom_words("我，你。", {.no_punct = true, .asian_support = true}), "我你");
}

TEST(TercomTokenizer, SplitsIdeographsOnRequest) {
  EXPECT_EQ(tercom_words("我在 Tokyo。ひらがな", {.normalized = true, .asian_support = true}),
            "我 在 tokyo 。 ひらがな");
}

}  // namespace
}  // namespace dhyan
