#include "metrics/alignment.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(Links, AreReadFromPharaohsFormat) {
  const GoldLinks links = parse_links("0-0 2-1\t10-3 ", "gold:1");
  EXPECT_EQ(links.sure, (Links{{0, 0}, {2, 1}, {10, 3}}));
  EXPECT_TRUE(links.possible.empty());
  EXPECT_TRUE(parse_links("", "gold:2").sure.empty());
}

TEST(Links, CanBePossibleOnly) {
  const GoldLinks links = parse_links("0-0 1p2 3?4", "gold:1");
  EXPECT_EQ(links.sure, (Links{{0, 0}}));
  EXPECT_EQ(links.possible, (Links{{1, 2}, {3, 4}}));
}

TEST(Links, NameFileAndLineOfAMalformedLink) {
  EXPECT_EQ(thrown<DataError>([] { parse_links("0-0 1:2", "gold.pharaoh:7"); }),
            "gold.pharaoh:7: '1:2' is not a link; expected source-target as in 0-2, or 0p2 or 0?2 for a possible one");
  for (const char* bad : {"1", "1-", "-1", "-", "1--2", "-1-2", "1-2-3", "1-2x", "a-b", "1 -2", "1-+2", "99999999999-1",
                          "1-99999999999", "0x1-2", "1\u20132", "p", "\xff-1"}) {
    EXPECT_THROW(parse_links(bad, "gold:1"), DataError) << bad;
  }
}

TEST(Links, AreRefusedBeyondTheSentence) {
  const GoldLinks links = parse_links("0-1 2p0", "gold:3");
  require_words(links, 3, 2, "gold:3");
  EXPECT_EQ(thrown<DataError>([&] { require_words(links, 2, 2, "gold:3"); }),
            "gold:3: link 2-0 in a sentence of 2 source and 2 target words; words are counted from 0");
  EXPECT_THROW(require_words(links, 3, 1, "gold:3"), DataError);
}

TEST(AlignmentErrorRate, EqualsItsDefinition) {
  // A = {0-0, 1-1, 2-2, 3-3}, S = {0-0, 1-2}, P = S and {1-1, 5-5}
  const GoldLinks gold = parse_links("0-0 1-2 1p1 5p5", "gold:1");
  const LinkCounts counts = count_links({{0, 0}, {1, 1}, {2, 2}, {3, 3}}, gold);
  EXPECT_EQ(counts.found, 4);
  EXPECT_EQ(counts.sure, 2);
  EXPECT_EQ(counts.found_sure, 1);
  EXPECT_EQ(counts.found_possible, 2);
  const AlignmentScore score = alignment_score(counts);
  EXPECT_DOUBLE_EQ(score.precision, 0.5);
  EXPECT_DOUBLE_EQ(score.recall, 0.5);
  EXPECT_DOUBLE_EQ(score.error_rate, 0.5);  // 1 - (1 + 2) / (4 + 2)
}

TEST(AlignmentErrorRate, IsZeroForAllSureLinksAndSomePossibleOnes) {
  const GoldLinks gold = parse_links("0-0 1-2 1p1 5p5", "gold:1");
  EXPECT_DOUBLE_EQ(alignment_score(count_links({{1, 2}, {0, 0}}, gold)).error_rate, 0);
  EXPECT_DOUBLE_EQ(alignment_score(count_links({{1, 2}, {5, 5}, {0, 0}}, gold)).error_rate, 0);
  EXPECT_DOUBLE_EQ(alignment_score(count_links({{7, 7}}, gold)).error_rate, 1);
}

TEST(AlignmentErrorRate, CountsARepeatedLinkOnce) {
  const GoldLinks gold = parse_links("0-0 0-0 0p0 1-1", "gold:1");
  const LinkCounts counts = count_links({{0, 0}, {0, 0}}, gold);
  EXPECT_EQ(counts.found, 1);
  EXPECT_EQ(counts.sure, 2);
  EXPECT_EQ(counts.found_possible, 1);
}

TEST(AlignmentErrorRate, SumsTheCountsOfACorpus) {
  LinkCounts sum = count_links({{0, 0}}, parse_links("0-0", "gold:1"));
  sum += count_links({{0, 0}, {1, 0}, {2, 0}}, parse_links("0-1", "gold:2"));
  const AlignmentScore score = alignment_score(sum);
  EXPECT_DOUBLE_EQ(score.precision, 0.25);
  EXPECT_DOUBLE_EQ(score.recall, 0.5);
  EXPECT_DOUBLE_EQ(score.error_rate, 1 - 2.0 / 6);
}

TEST(AlignmentErrorRate, IsZeroWithoutLinks) {
  const AlignmentScore score = alignment_score({});
  EXPECT_EQ(score.precision, 1);
  EXPECT_EQ(score.recall, 1);
  EXPECT_EQ(score.error_rate, 0);
}

}  // namespace
}  // namespace dhyan
