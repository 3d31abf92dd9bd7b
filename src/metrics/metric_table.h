#pragma once

#include <memory>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"

namespace dhyan {

// What users choose; each metric takes its own.
struct MetricOptions {
  BleuOptions bleu = {};
  ChrfOptions chrf = {};
  TerOptions ter = {};
};

// The metrics there are. A new one is an entry here.
struct MetricEntry {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<Metric> (*make)(const MetricOptions& options);
};
std::span<const MetricEntry> metrics();

// Throws ConfigError for a name that is not in the table.
std::unique_ptr<Metric> make_metric(std::string_view name, const MetricOptions& options);

}  // namespace dhyan
