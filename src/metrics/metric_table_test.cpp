#include "metrics/metric_table.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(MetricTable, HasMetricsThatScoreTheSameTextBestAndAnotherOneWorse) {
  const std::vector<std::string> reference{"the cat sat on the mat"};
  const MetricOptions small_letters{.bleu = {.lowercase = true}, .chrf = {.lowercase = true}, .ter = {}};
  for (const MetricEntry& entry : metrics()) {
    const auto metric = make_metric(entry.name, {});
    const double best = metric->lower_is_better() ? 0 : 100;
    const double worse = metric->score(metric->counts("the cat sat on the hat", reference));
    EXPECT_NEAR(metric->score(metric->counts(reference.front(), reference)), best, 1e-9) << entry.name;
    EXPECT_TRUE(metric->lower_is_better() ? worse > 1 : worse < 99) << entry.name;
    const auto small = make_metric(entry.name, small_letters);
    EXPECT_NEAR(small->score(small->counts("THE CAT sat on the mat", reference)), best, 1e-9) << entry.name;
  }
}

TEST(MetricTable, GivesEachMetricItsOptions) {
  const MetricOptions options{
      .bleu = {.tokenizer = "intl", .smoothing = "floor"}, .chrf = {.character_order = 4}, .ter = {.normalized = true}};
  EXPECT_NE(make_metric("bleu", options)->settings().find("tok:intl|smooth:floor[0.10]"), std::string::npos);
  EXPECT_NE(make_metric("chrf", options)->settings().find("nc:4|nw:0"), std::string::npos);
  EXPECT_NE(make_metric("chrf++", options)->settings().find("nc:4|nw:2"), std::string::npos);
  EXPECT_NE(make_metric("ter", options)->settings().find("norm:yes"), std::string::npos);
}

TEST(MetricTable, NamesWhatThereIs) {
  EXPECT_EQ(thrown<ConfigError>([] { make_metric("blue", {}); }), "metric: 'blue' is none of bleu, chrf, chrf++, ter");
}

}  // namespace
}  // namespace dhyan
