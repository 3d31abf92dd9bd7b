#include "metrics/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/rng.h"

namespace dhyan {

namespace {

double mean_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

}  // namespace

Bootstrap::Bootstrap(const BootstrapOptions& options) : options_(options) {
  if (options.samples < 2) {
    throw ConfigError(cat("bootstrap: ", options.samples, " samples; expected at least 2"));
  }
}

std::vector<double> Bootstrap::scores(const Metric& metric, std::span<const Counts> sentences,
                                      const std::function<void()>& poll) const {
  if (sentences.empty()) throw UsageError("bootstrap: no sentence to draw samples from");
  const Rng rng(options_.seed);
  std::vector<double> scores;
  scores.reserve(static_cast<std::size_t>(options_.samples));
  for (Index sample = 0; sample < options_.samples; ++sample) {
    if (poll) poll();
    Rng draws = rng.split(static_cast<std::uint64_t>(sample));
    Counts sums(sentences.front().size(), 0);
    for (std::size_t drawn = 0; drawn < sentences.size(); ++drawn) {
      const Counts& sentence = sentences[draws.below(sentences.size())];
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += sentence[i];
    }
    scores.push_back(metric.score(sums));
  }
  return scores;
}

std::string Bootstrap::settings() const { return cat("bs:", options_.samples, "|seed:", options_.seed); }

Confidence confidence(std::vector<double> sample_scores) {
  if (sample_scores.empty()) throw UsageError("confidence: no sample");
  const double mean = mean_of(sample_scores);
  std::ranges::sort(sample_scores);
  const std::size_t left_out = sample_scores.size() / 40;  // samples left out on each side
  return {mean, (sample_scores[sample_scores.size() - 1 - left_out] - sample_scores[left_out]) / 2};
}

double paired_p_value(std::span<const double> baseline_samples, std::span<const double> system_samples,
                      double difference) {
  if (baseline_samples.empty() || baseline_samples.size() != system_samples.size()) {
    throw UsageError(cat("paired_p_value: ", baseline_samples.size(), " and ", system_samples.size(),
                         " samples; expected equally many, and one at least"));
  }
  if (difference == 0) return 1;
  std::vector<double> differences;
  for (std::size_t i = 0; i < system_samples.size(); ++i) {
    differences.push_back(std::abs(system_samples[i] - baseline_samples[i]));
  }
  const double mean = mean_of(differences), wanted = std::abs(difference);
  const auto exceeding = std::ranges::count_if(differences, [&](double one) { return one - mean > wanted; });
  return static_cast<double>(exceeding + 1) / static_cast<double>(differences.size() + 1);
}

}  // namespace dhyan
