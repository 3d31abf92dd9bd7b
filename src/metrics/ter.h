#pragma once

#include "metrics/metric.h"

namespace dhyan {

// Of Tercom, by the names of sacreBLEU.
struct TerOptions {
  bool normalized = false;     // entities become characters, punctuation becomes words
  bool no_punct = false;       // without punctuation
  bool asian_support = false;  // both hold for Chinese and Japanese too, of which every character is a word
  bool case_sensitive = false;
};

// Translation edit rate ([snover2006]) as sacreBLEU computes it: edits for each word of the reference, in percent. 0 is
// best, and there is no worst.
class Ter final : public Metric {
 public:
  explicit Ter(const TerOptions& options = {}) : options_(options) {}

  std::string name() const override { return "TER"; }
  std::string settings() const override;
  bool lower_is_better() const override { return true; }
  // Edits by the reference that needs the fewest; the mean length of all.
  Counts counts(std::string_view hypothesis, std::span<const std::string> references) const override;
  double score(const Counts& sums) const override;

 private:
  TerOptions options_;
};

// A line as words with blanks between them.
std::u32string tercom_tokenized(std::string_view line, const TerOptions& options);

}  // namespace dhyan
