#include "metrics/metric_table.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(MetricTable, HasMetricsThatScoreTheReferenceBestAndAnotherTextWorse) {
  const std::vector<std::vector<std::string>> references{{"the cat sat on the mat"}, {"two dogs run very fast"}};
  const MetricOptions lower_case{.bleu = {.lowercase = true}, .chrf = {.lowercase = true}, .ter = {}, .caption = {}};
  for (const MetricEntry& entry : metrics()) {
    const auto score = [&](const std::string& hypothesis, const MetricOptions& options) {
      const std::vector<std::string> hypotheses{hypothesis, "two dogs run very fast"};
      const auto metric = make_metric(entry.name, options);
      return metric->score(sum_of(sentence_counts(*metric, {hypotheses, references})));
    };
    const bool lower_is_better = make_metric(entry.name, {})->lower_is_better();
    const double best = lower_is_better ? 0 : entry.name == "cider-d" ? 1000 : 100;
    const double worse = score("the cat sat on the hat", {});
    EXPECT_NEAR(score("the cat sat on the mat", {}), best, 1e-6) << entry.name;
    EXPECT_TRUE(lower_is_better ? worse > 1 : worse < 0.99 * best) << entry.name;
    EXPECT_NEAR(score("THE CAT sat on the mat", lower_case), best, 1e-6) << entry.name;
  }
}

TEST(MetricTable, GivesEachMetricItsOptions) {
  const MetricOptions options{.bleu = {.tokenizer = "intl", .smoothing = "floor"},
                              .chrf = {.character_order = 4},
                              .ter = {.normalized = true},
                              .caption = {.tokenized = true}};
  EXPECT_NE(make_metric("bleu", options)->settings().find("tok:intl|smooth:floor[0.10]"), std::string::npos);
  EXPECT_NE(make_metric("chrf", options)->settings().find("nc:4|nw:0"), std::string::npos);
  EXPECT_NE(make_metric("chrf++", options)->settings().find("nc:4|nw:2"), std::string::npos);
  EXPECT_NE(make_metric("ter", options)->settings().find("norm:yes"), std::string::npos);
  for (const char* name : {"coco-bleu1", "coco-bleu4", "rouge-l", "cider-d"}) {
    EXPECT_NE(make_metric(name, options)->settings().find("tok:none"), std::string::npos) << name;
  }
}

TEST(MetricTable, ListsItsMetricsWhenANameIsUnknown) {
  EXPECT_EQ(thrown<ConfigError>([] { make_metric("blue", {}); }),
            "metric: 'blue' is none of bleu, chrf, chrf++, ter, coco-bleu1, coco-bleu2, coco-bleu3, coco-bleu4, "
            "rouge-l, cider-d");
}

}  // namespace
}  // namespace dhyan
