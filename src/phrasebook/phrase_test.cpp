#include "phrasebook/phrase.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "phrasebook/draw.h"

namespace dhyan::phrases {
namespace {

using Alignment = std::vector<std::pair<int, int>>;

TEST(Phrase, AlignsWordsThatShareALink) {
  Draw draw(Rng(1));
  const Links a = draw.link(), b = draw.link();
  const PhrasePair pair = to_pair({words("मैं", a) + words("खाऊँगा", b), words("I", a) + words("will eat", b)});
  EXPECT_EQ(pair.source, "मैं खाऊँगा");
  EXPECT_EQ(pair.target, "I will eat");
  EXPECT_EQ(pair.alignment, (Alignment{{0, 0}, {1, 1}, {1, 2}}));
}

TEST(Phrase, JoinsAnElidedWordToTheNextAndKeepsBothLinks) {
  Draw draw(Rng(1));
  const Links a = draw.link(), b = draw.link();
  const PhrasePair pair = to_pair({words("j'", a) + words("aime", b), words("I", a) + words("like", b)});
  EXPECT_EQ(pair.source, "j'aime");
  EXPECT_EQ(pair.alignment, (Alignment{{0, 0}, {0, 1}}));
}

TEST(Phrase, WithoutWordsIsEmpty) {
  const PhrasePair pair = to_pair({});
  EXPECT_EQ(pair.source, "");
  EXPECT_TRUE(pair.alignment.empty());
  EXPECT_TRUE(words("", {}).empty());
}

TEST(Draw, GlossLinksWordsWithEqualDigitsButNotWithADash) {
  Draw draw(Rng(1));
  const PhrasePair pair = to_pair(draw.gloss("शाम1 को2 तब- = in2 the1 evening1"));
  EXPECT_EQ(pair.source, "शाम को तब");
  EXPECT_EQ(pair.target, "in the evening");
  EXPECT_EQ(pair.alignment, (Alignment{{0, 1}, {0, 2}, {1, 0}}));
}

TEST(Draw, GlossesOfOneSentenceHaveDifferentLinks) {
  Draw draw(Rng(1));
  const Part first = draw.gloss("आज = today"), second = draw.gloss("कल = tomorrow");
  EXPECT_EQ(to_pair(in_turn({first, second})).alignment, (Alignment{{0, 0}, {1, 1}}));
}

TEST(Draw, RefusesAGlossWithoutASecondSide) {
  Draw draw(Rng(1));
  try {
    draw.gloss("आज today");
    FAIL() << "expected UsageError";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "phrasebook: 'आज today' has no ' = '");
  }
}

TEST(Draw, RefusesTooManyLinks) {
  Draw draw(Rng(1));
  for (int i = 0; i < kMostLinks; ++i) draw.link();
  EXPECT_THROW(draw.link(), UsageError);
}

TEST(Draw, ChoosesAllowedItemsOnly) {
  Draw draw(Rng(1));
  constexpr int kTable[] = {1, 2, 3, 4};
  for (int i = 0; i < 50; ++i) EXPECT_EQ(*draw.one_where(kTable, [](int n) { return n % 2 == 0; }) % 2, 0);
  EXPECT_EQ(draw.one_where(kTable, [](int) { return false; }), nullptr);
}

}  // namespace
}  // namespace dhyan::phrases
