#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace dhyan {

// The sufficient statistics of one sentence. A corpus, a part of it or a sample is scored by their sums.
using Counts = std::vector<double>;

// Translations, and for each of them its references.
struct ScoredText {
  std::span<const std::string> hypotheses;
  std::span<const std::vector<std::string>> references;
};

// A metric of translations against references. Immutable: any number of threads may use one.
class Metric {
 public:
  virtual ~Metric() = default;

  virtual std::string name() const = 0;  // for output: "BLEU", "chrF2++"
  virtual std::string settings()
      const = 0;  // all that a score depends on, as in "case:mixed|eff:no|tok:13a|smooth:exp"

  // The statistics of one sentence against one or more references; their number is fixed.
  virtual Counts counts(std::string_view hypothesis, std::span<const std::string> references) const = 0;

  // The statistics of every sentence. A metric overrides this if it weighs words by the references of the whole text.
  virtual std::vector<Counts> counts_of_text(const ScoredText& text, const std::function<void()>& poll) const;

  virtual double score(const Counts& sums) const = 0;
  virtual bool lower_is_better() const { return false; }
  virtual std::string details(const Counts&) const { return {}; }  // additional text about a score
};

// The counts of each sentence. UsageError unless every hypothesis has a reference. `poll` is called for each sentence
// and may throw to stop.
std::vector<Counts> sentence_counts(const Metric& metric, const ScoredText& text,
                                    const std::function<void()>& poll = {});

// UsageError without a sentence.
Counts sum_of(std::span<const Counts> sentences);

// The signature that makes a score reproducible ([post2018]): "nrefs:1|…|version:dhyan-0.1.0". Further settings, such
// as "bs:1000|seed:12345", follow the number of references.
std::string signature(const Metric& metric, std::span<const std::vector<std::string>> references,
                      std::string_view besides = {});

}  // namespace dhyan
