#include "cli/progress_bar.h"

#include <gtest/gtest.h>

namespace dhyan::cli {
namespace {

TEST(ProgressLine, ShowsShareRateAndTimeLeft) {
  EXPECT_EQ(progress_line("reading", {45'000'000, 100'000'000, "bytes", 4.5}),
            "reading   45% [#########           ]  10.0 MB/s  0:06 left");
  EXPECT_EQ(progress_line("x", {1, 7201, "pairs", 1}), "x    0% [                    ]  1 pairs/s  2:00:00 left");
  EXPECT_EQ(progress_line("x", {10, 10, "pairs", 2}), "x  100% [####################]  5 pairs/s  0:00 left");
  EXPECT_EQ(progress_line("x", {12, 10, "pairs", 2}), "x  100% [####################]  6 pairs/s  0:00 left");
}

TEST(ProgressLine, ShowsWhatIsDoneWhereTheTotalIsUnknown) {
  EXPECT_EQ(progress_line("reading", {2'500'000, {}, "pairs", 2}), "reading  2,500,000 pairs  1,250,000 pairs/s");
  EXPECT_EQ(progress_line("reading", {0, 0, "bytes", 0}), "reading  0.0 MB  0.0 MB/s");
}

TEST(Grouped, PutsCommasBetweenThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

}  // namespace
}  // namespace dhyan::cli
