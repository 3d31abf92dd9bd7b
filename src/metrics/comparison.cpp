#include "metrics/comparison.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

namespace {

using References = std::span<const std::vector<std::string>>;

ComparedMetric compared(const Metric& metric, const std::vector<std::vector<Counts>>& counts, References references,
                        const Bootstrap& bootstrap, const std::function<void()>& poll) {
  ComparedMetric result{.name = metric.name(),
                        .signature = signature(metric, references, bootstrap.settings()),
                        .lower_is_better = metric.lower_is_better(),
                        .systems = {}};
  std::vector<double> baseline;
  for (const std::vector<Counts>& sentences : counts) {
    std::vector<double> samples = bootstrap.scores(metric, sentences, poll);
    SystemScore system{.score = metric.score(sum_of(sentences)), .confidence = confidence(samples)};
    if (baseline.empty()) {
      baseline = std::move(samples);
    } else {
      system.p_value = paired_p_value(baseline, samples, system.score - result.systems.front().score);
    }
    result.systems.push_back(system);
  }
  return result;
}

double gap(const ComparedSentence& sentence) {
  const auto [least, most] = std::ranges::minmax(sentence.scores);
  return most - least;
}

std::vector<ComparedSentence> most_differing(const Metric& metric, std::span<const SystemText> systems,
                                             References references, std::size_t count) {
  std::vector<ComparedSentence> sentences(references.size());
  for (std::size_t i = 0; i < references.size(); ++i) sentences[i].number = i;
  for (const SystemText& system : systems) {
    const std::vector<Counts> counts = sentence_counts(metric, {system.hypotheses, references});
    for (std::size_t i = 0; i < references.size(); ++i) sentences[i].scores.push_back(metric.score(counts[i]));
  }
  std::erase_if(sentences, [](const ComparedSentence& sentence) { return gap(sentence) == 0; });
  std::ranges::stable_sort(sentences, std::greater(), gap);
  if (sentences.size() > count) sentences.resize(count);
  return sentences;
}

}  // namespace

Comparison compare_texts(std::span<const SystemText> systems, References references, std::span<const Index> lengths,
                         const ComparisonOptions& options) {
  if (systems.size() < 2) throw UsageError(cat("compare: ", systems.size(), " systems; expected at least 2"));
  check(options.scoring);
  const Bootstrap bootstrap(options.bootstrap);
  Comparison result;
  for (const std::string& name : options.scoring.metrics) {
    const auto metric = make_metric(name, options.scoring.settings);
    std::vector<std::vector<Counts>> counts;
    for (const SystemText& system : systems)
      counts.push_back(sentence_counts(*metric, {system.hypotheses, references}, options.scoring.poll));
    result.metrics.push_back(compared(*metric, counts, references, bootstrap, options.scoring.poll));
    if (!result.by_length.empty()) continue;
    for (const std::vector<Counts>& sentences : counts) {
      result.by_length.push_back(by_length(*metric, sentences, lengths, options.scoring.length_bounds));
    }
  }
  MetricOptions of_sentences = options.scoring.settings;
  of_sentences.bleu.effective_order = true;
  result.differing = most_differing(*make_metric(options.scoring.metrics.front(), of_sentences), systems, references,
                                    options.sentences);
  return result;
}

}  // namespace dhyan
