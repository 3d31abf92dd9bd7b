#pragma once

#include <cstdint>
#include <functional>

#include "metrics/metric.h"

namespace dhyan {

struct BootstrapOptions {
  Index samples = 1000;
  std::uint64_t seed = 12345;  // as in sacreBLEU, whose generator differs
};

// Bootstrap resampling ([koehn2004]): test sets of the same size, drawn with replacement. Equal options give equal
// samples for every system and metric.
class Bootstrap {
 public:
  explicit Bootstrap(const BootstrapOptions& options = {});  // ConfigError for less than 2 samples

  // The score of each sample. UsageError without a sentence. `poll` is called for each and may throw to stop.
  std::vector<double> scores(const Metric& metric, std::span<const Counts> sentences,
                             const std::function<void()>& poll = {}) const;

  std::string settings() const;  // "bs:1000|seed:12345", for the signature

 private:
  BootstrapOptions options_;
};

// The mean over samples, and half the width of the interval that 95 % of them lie in: "22.6 ± 0.6".
struct Confidence {
  double mean = 0;
  double interval = 0;
};
Confidence confidence(std::vector<double> sample_scores);

// The p-value of the difference between two systems: the share of samples whose centred difference exceeds it. As in
// sacreBLEU, after Moses, except that equal scores give 1 instead of nearly 0.
double paired_p_value(std::span<const double> baseline_samples, std::span<const double> system_samples,
                      double difference);

}  // namespace dhyan
