#include "core/counted.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

TEST(Counted, IsSingularForOneOnly) {
  EXPECT_EQ(counted(0, "line"), "0 lines");
  EXPECT_EQ(counted(1, "line"), "1 line");
  EXPECT_EQ(counted(1234, "pair"), "1,234 pairs");
}

}  // namespace
}  // namespace dhyan
