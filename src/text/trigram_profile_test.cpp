#include "text/trigram_profile.h"

#include <gtest/gtest.h>

#include "text/unicode.h"

namespace dhyan {
namespace {

std::vector<std::string> trigrams_of(std::string_view text) {
  std::vector<std::string> found;
  for_each_trigram(text, [&](const Trigram& trigram) {
    EXPECT_TRUE(is_trigram(trigram));
    found.push_back(to_utf8({trigram.data(), trigram.size()}));
  });
  return found;
}

TrigramCounts counted(const std::vector<std::string>& lines) {
  TrigramCounter counter;
  for (const std::string& line : lines) counter.add(line);
  return counter.counts();
}

using Found = std::vector<std::string>;

TEST(Trigrams, IncludeTheEdgesOfWords) {
  EXPECT_EQ(trigrams_of("The, a"), (Found{" th", "the", "he ", " a "}));
  EXPECT_EQ(trigrams_of("no-1x"), (Found{" no", "no ", " x "}));
  EXPECT_EQ(trigrams_of("12 + 3, 😀!"), Found{});
  EXPECT_EQ(trigrams_of(""), Found{});
}

TEST(Trigrams, ConsistOfLettersAndMarksInLowerCaseAndNfc) {
  EXPECT_EQ(trigrams_of("É"), Found{" é "});
  EXPECT_EQ(trigrams_of("e\u0301"), Found{" é "});
  EXPECT_EQ(trigrams_of("हिंदी"), (Found{" हि", "हिं", "िंद", "ंदी", "दी "}));
  EXPECT_EQ(trigrams_of("क\u200Dष"), (Found{" कष", "कष "}));  // a joiner
  EXPECT_EQ(trigrams_of("a\xff"
                        "b"),
            (Found{" a ", " b "}));
}

TEST(Trigrams, HaveNoEdgeInTheMiddle) {
  EXPECT_FALSE(is_trigram({U'a', kWordEdge, U'b'}));
  EXPECT_FALSE(is_trigram({U'a', U'1', U'b'}));
  EXPECT_FALSE(is_trigram({U'a', U'b', 0x110000}));
}

TEST(TrigramCounters, CountEveryWordOfTheLines) {
  const TrigramCounts counts = counted({"a b  a", "A, a.", ""});
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts.at({kWordEdge, U'a', kWordEdge}), 4U);
  EXPECT_EQ(counts.at({kWordEdge, U'b', kWordEdge}), 1U);
}

TEST(TrigramCounters, CountTheTrigramsOfTheWholeLine) {
  const std::string line = "L'été, où  ΟΔΟΣ हिंदी-में\tx\u00A0y";
  TrigramCounts expected;
  for_each_trigram(line, [&](const Trigram& trigram) { ++expected[trigram]; });
  EXPECT_EQ(counted({line}), expected);
}

TEST(TrigramProfiles, ListTheCommonestFirst) {
  const TrigramProfile profile = profile_of(counted({"c b c a"}));
  EXPECT_EQ(profile.total, 4U);
  const std::vector<TrigramCount> expected{
      {{kWordEdge, U'c', kWordEdge}, 2}, {{kWordEdge, U'a', kWordEdge}, 1}, {{kWordEdge, U'b', kWordEdge}, 1}};
  EXPECT_EQ(profile.commonest, expected);
  EXPECT_TRUE(profile_of(TrigramCounts()).empty());
}

TEST(TrigramProfiles, KeepTheTotalOfAllTrigrams) {
  std::vector<std::string> lines;
  for (char32_t han = 0x4E00; han < 0x4E00 + 3000; ++han) lines.push_back(to_utf8(std::u32string(1, han)));
  const TrigramProfile profile = profile_of(counted(lines));
  EXPECT_EQ(profile.commonest.size(), TrigramProfile::kMost);
  EXPECT_EQ(profile.total, 3000U);
}

}  // namespace
}  // namespace dhyan
