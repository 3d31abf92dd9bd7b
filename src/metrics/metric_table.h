#pragma once

#include <memory>

#include "metrics/bleu.h"
#include "metrics/caption_words.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"

namespace dhyan {

// Options of all metrics; each uses its own.
struct MetricOptions {
  BleuOptions bleu = {};
  ChrfOptions chrf = {};
  TerOptions ter = {};
  CaptionOptions caption = {};  // of coco-bleu1 to coco-bleu4, rouge-l and cider-d
};

// The table of metrics.
struct MetricEntry {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<Metric> (*make)(const MetricOptions& options);
};
std::span<const MetricEntry> metrics();

// Throws ConfigError for a name that is not in the table.
std::unique_ptr<Metric> make_metric(std::string_view name, const MetricOptions& options);

}  // namespace dhyan
