#include "text/sentences.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

using Sentences = std::vector<std::string>;

Sentences split_up(std::string_view text) {
  Sentences sentences;
  for (const ByteRange& range : sentence_ranges(text)) sentences.emplace_back(part(text, range));
  return sentences;
}

TEST(Sentences, EndAtSentencePunctuation) {
  EXPECT_EQ(split_up("I eat. You drink! Do we? Yes… Good."),
            (Sentences{"I eat.", "You drink!", "Do we?", "Yes…", "Good."}));
  EXPECT_EQ(split_up("मैं खाता हूँ। तुम पीते हो।वह सोता है॥"), (Sentences{"मैं खाता हूँ।", "तुम पीते हो।", "वह सोता है॥"}));
  EXPECT_EQ(split_up("我吃。你喝！他呢？"), (Sentences{"我吃。", "你喝！", "他呢？"}));
  EXPECT_EQ(split_up("هل تأكل؟ أنا آكل."), (Sentences{"هل تأكل؟", "أنا آكل."}));
}

TEST(Sentences, IncludeClosingQuotesAndBrackets) {
  EXPECT_EQ(split_up("He said: \"Come!\" (She came.) Really?! Yes..."),
            (Sentences{"He said: \"Come!\"", "(She came.)", "Really?!", "Yes..."}));
  EXPECT_EQ(split_up("「行く。」彼は言った。"), (Sentences{"「行く。」", "彼は言った。"}));
}

TEST(Sentences, DoNotEndAtOtherDots) {
  for (const char* text : {"Dr. A. Rao came.", "It costs 3.50 in all.", "See Fig. 5 and no. 7.", "e.g. this one",
                           "He waited... and left.", "1. First of all", "www.example.org is a name", "U.S. troops"}) {
    EXPECT_EQ(split_up(text), Sentences{text});
  }
  EXPECT_EQ(split_up("I said no. He left. It was 20. So what."),
            (Sentences{"I said no.", "He left.", "It was 20.", "So what."}));
}

TEST(Sentences, AreEmptyForBlankText) {
  EXPECT_EQ(split_up(""), Sentences{});
  EXPECT_EQ(split_up("  \t "), Sentences{});
  EXPECT_EQ(split_up("  no mark  "), Sentences{"no mark"});
  EXPECT_EQ(split_up("."), Sentences{"."});
}

TEST(Sentences, CoverAllTextExceptSpaces) {
  const std::string text = " Mr. X. came!? \"No. 5\" (was. there) ।।  end ";
  std::string all, kept;
  for (const std::string& sentence : split_up(text)) all += sentence;
  for (const char byte : text) {
    if (byte != ' ') kept += byte;
  }
  std::erase(all, ' ');
  EXPECT_EQ(all, kept);
}

TEST(Sentences, AreJoinedByTheRulesOfTheirScript) {
  EXPECT_EQ(joined_sentences("I eat.", "You drink."), "I eat. You drink.");
  EXPECT_EQ(joined_sentences("我吃。", "你喝。"), "我吃。你喝。");
  EXPECT_EQ(joined_sentences("", "You drink."), "You drink.");
  EXPECT_EQ(joined_sentences("I eat.", ""), "I eat.");
}

}  // namespace
}  // namespace dhyan
