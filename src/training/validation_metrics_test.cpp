#include "training/validation_metrics.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace dhyan {
namespace {

TEST(ValidationMetrics, HaveADirection) {
  EXPECT_LT(cost_of(validation_metric("loss"), 1), cost_of(validation_metric("loss"), 2));
  EXPECT_LT(cost_of(validation_metric("bleu"), 30), cost_of(validation_metric("bleu"), 20));
  EXPECT_THROW(validation_metric("beauty"), ConfigError);
}

TEST(ValidationMetrics, AreFoundByName) {
  const std::vector<NamedScore> metrics{{"loss", 2}, {"bleu", 30}};
  EXPECT_EQ(value_of(metrics, "bleu"), 30);
  EXPECT_THROW(value_of(metrics, "chrf"), ConfigError);
}

}  // namespace
}  // namespace dhyan
