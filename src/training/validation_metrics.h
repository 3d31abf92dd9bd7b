#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace dhyan {

// A number that a validation gives, and its name.
struct NamedScore {
  std::string name;
  double value = 0;

  friend bool operator==(const NamedScore&, const NamedScore&) = default;
};

// What a training can be validated by. A new metric is an entry here.
enum class Better { kLower, kHigher };
struct ValidationMetric {
  std::string_view name;
  Better better;
  std::string_view description;
};
std::span<const ValidationMetric> validation_metrics();

// ConfigError for a name that is not in the table.
const ValidationMetric& validation_metric(std::string_view name);

// Of which less is better, whatever the metric: for comparisons.
double cost_of(const ValidationMetric& metric, double value);

// Of these metrics, the one of that name; ConfigError if it was not measured.
double value_of(std::span<const NamedScore> metrics, std::string_view name);

// A held-out sentence as the model translates it at some moment of training.
struct SampleTranslation {
  std::vector<std::string> source;           // tokens, </s> included
  std::vector<std::string> translation;      // tokens, </s> included unless it was cut
  std::string reference;                     // a line
  std::vector<std::vector<double>> weights;  // [T][S]  attention on the source, the mean over layers and heads
};

// All that one validation found out.
struct Validation {
  std::vector<NamedScore> metrics;
  std::vector<SampleTranslation> samples = {};
};

}  // namespace dhyan
