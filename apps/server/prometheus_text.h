#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/histogram.h"

namespace dhyan::server {

using MetricLabels = std::vector<std::pair<std::string, std::string>>;

// Writes Prometheus text format 0.0.4: each metric once, its samples after it.
class PrometheusText {
 public:
  void metric(std::string_view name, std::string_view type, std::string_view help);

  // Adds a sample to the metric begun last.
  void sample(std::uint64_t value, const MetricLabels& labels = {});
  void sample(const Histogram& histogram, const MetricLabels& labels = {});

  std::string take() { return std::move(text_); }

 private:
  void line(std::string_view suffix, const MetricLabels& labels, std::string_view value);

  std::string name_;
  std::string text_;
};

}  // namespace dhyan::server
