#include "cli/table.h"

#include <gtest/gtest.h>

namespace dhyan::cli {
namespace {

TEST(Table, HasALabelAndCellsToTheRight) {
  EXPECT_EQ(row("words", "12", 345), "words                         12           345");
  EXPECT_EQ(row("a label of more than its width", 1), "a label of more than its width             1");
}

TEST(Table, NamesRanges) {
  EXPECT_EQ(range_label(0, 0), "0");
  EXPECT_EQ(range_label(1, 5), "1 to 5");
  EXPECT_EQ(range_label(51, -1), "over 50");
}

}  // namespace
}  // namespace dhyan::cli
