#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace dhyan {

// What one sentence adds to a metric. Sums of these are what a corpus is scored by: of all sentences, of some of them,
// or of a sample.
using Counts = std::vector<double>;

// A measure of translations against references. Immutable: any number of threads may use one.
class Metric {
 public:
  virtual ~Metric() = default;

  virtual std::string name() const = 0;  // as it is printed: "BLEU", "chrF2++"
  virtual std::string settings()
      const = 0;  // all that a score depends on, as in "case:mixed|eff:no|tok:13a|smooth:exp"

  // Of one sentence, against one reference or more; always equally many numbers.
  virtual Counts counts(std::string_view hypothesis, std::span<const std::string> references) const = 0;

  virtual double score(const Counts& sums) const = 0;
  virtual bool lower_is_better() const { return false; }
  virtual std::string details(const Counts&) const { return {}; }  // what else there is to say about a score
};

// Translations, and for each of them its references.
struct ScoredText {
  std::span<const std::string> hypotheses;
  std::span<const std::vector<std::string>> references;
};

// The counts of each sentence. UsageError if there are not as many lists of references as hypotheses, or one is empty.
// `poll`, if there is one, is called for each, and may throw, to stop.
std::vector<Counts> sentence_counts(const Metric& metric, const ScoredText& text,
                                    const std::function<void()>& poll = {});

// At least one sentence; UsageError otherwise.
Counts sum_of(std::span<const Counts> sentences);

// What must be told with a score, so that others can repeat it ([post2018]): "nrefs:1|…|version:dhyan-0.1.0". What was
// done besides, such as "bs:1000|seed:12345", follows the number of references.
std::string signature(const Metric& metric, std::span<const std::vector<std::string>> references,
                      std::string_view besides = {});

}  // namespace dhyan
