#include "core/pluralize.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

TEST(Pluralize, IsSingularForOneOnly) {
  EXPECT_EQ(pluralize(0, "line"), "0 lines");
  EXPECT_EQ(pluralize(1, "line"), "1 line");
  EXPECT_EQ(pluralize(1234, "pair"), "1,234 pairs");
}

}  // namespace
}  // namespace dhyan
