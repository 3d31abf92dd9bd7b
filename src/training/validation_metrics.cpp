#include "training/validation_metrics.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/table.h"

namespace dhyan {

namespace {

constexpr auto kValidationMetrics = std::to_array<ValidationMetric>({
    {"loss", Better::kLower, "-log p per predicted token"},
    {"perplexity", Better::kLower, "its exponential"},
    {"bleu", Better::kHigher, "of translations, against the references"},
    {"chrf", Better::kHigher, "likewise"},
    {"coco-bleu4", Better::kHigher, "of captions, as pycocoevalcap computes it"},
    {"cider-d", Better::kHigher, "likewise"},
    {"true-captions", Better::kHigher, "percent of captions of picture-book scenes that are true in every word"},
    {"aer", Better::kLower, "alignment error rate of attention, against gold alignments"},
});

}  // namespace

std::span<const ValidationMetric> validation_metrics() { return kValidationMetrics; }

const ValidationMetric& validation_metric(std::string_view name) {
  return entry_named("validation metric", validation_metrics(), name);
}

double cost_of(const ValidationMetric& metric, double value) {
  return metric.better == Better::kLower ? value : -value;
}

double value_of(std::span<const NamedScore> metrics, std::string_view name) {
  const auto found = std::ranges::find(metrics, name, &NamedScore::name);
  if (found == metrics.end()) throw ConfigError(cat("validation: ", name, " is not measured; see validate-metrics"));
  return found->value;
}

}  // namespace dhyan
