#pragma once

#include "metrics/metric.h"

namespace dhyan {

// Options of Tercom, with sacreBLEU's names.
struct TerOptions {
  bool normalized = false;     // unescape entities, split punctuation into words
  bool no_punct = false;       // remove punctuation
  bool asian_support = false;  // apply both to Chinese and Japanese, with every character as a word
  bool case_sensitive = false;
};

// Translation edit rate ([snover2006]) as sacreBLEU computes it: edits per reference word, in percent. 0 is best; there
// is no upper limit.
class Ter final : public Metric {
 public:
  explicit Ter(const TerOptions& options = {}) : options_(options) {}

  std::string name() const override { return "TER"; }
  std::string settings() const override;
  bool lower_is_better() const override { return true; }
  // The fewest edits to any reference, and the mean length of all references.
  Counts counts(std::string_view hypothesis, std::span<const std::string> references) const override;
  double score(const Counts& sums) const override;

 private:
  TerOptions options_;
};

// A line as words with blanks between them.
std::u32string tercom_tokenized(std::string_view line, const TerOptions& options);

}  // namespace dhyan
