#pragma once

#include <cstdint>
#include <functional>

#include "metrics/metric.h"

namespace dhyan {

struct BootstrapOptions {
  Index samples = 1000;
  std::uint64_t seed = 12345;  // sacreBLEU's; the numbers drawn are not
};

// Test sets drawn from a test set, each as large as it, with replacement: what scores might have been on other
// sentences of the kind ([koehn2004]). Equal options draw equal samples, whatever system or metric they are for.
class Bootstrap {
 public:
  explicit Bootstrap(const BootstrapOptions& options = {});  // ConfigError for less than 2 samples

  // The score of each sample. UsageError without a sentence. `poll`, if there is one, is called for each, and may
  // throw, to stop.
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

// How likely a difference as great as that between two systems is where there is none: of the differences between their
// scores on the same samples, less the mean of these, so many exceed it. As sacreBLEU computes it, after Moses; but
// where there is no difference it is 1, and not, as nothing exceeds nothing, next to 0.
double paired_p_value(std::span<const double> baseline_samples, std::span<const double> system_samples,
                      double difference);

}  // namespace dhyan
