#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace dhyan {

// A metric and its value.
struct NamedScore {
  std::string name;
  double value = 0;

  friend bool operator==(const NamedScore&, const NamedScore&) = default;
};

// The table of validation metrics.
enum class Better { kLower, kHigher };
struct ValidationMetric {
  std::string_view name;
  Better better;
  std::string_view description;
};
std::span<const ValidationMetric> validation_metrics();

// ConfigError for a name that is not in the table.
const ValidationMetric& validation_metric(std::string_view name);

// The value or its negative, so that lower is better for every metric.
double cost_of(const ValidationMetric& metric, double value);

// The value of a metric; ConfigError if it was not measured.
double value_of(std::span<const NamedScore> metrics, std::string_view name);

// The translation of a held-out sentence at a validation.
struct SampleTranslation {
  std::vector<std::string> source;           // tokens, </s> included; of a picture, its cells: "row,column"
  std::vector<std::string> translation;      // tokens, </s> included unless it was cut
  std::string reference;                     // a line
  std::vector<std::vector<double>> weights;  // [T][S]  attention to the source, mean over layers and heads
};

// The results of one validation.
struct Validation {
  std::vector<NamedScore> metrics;
  std::vector<SampleTranslation> samples = {};
};

}  // namespace dhyan
