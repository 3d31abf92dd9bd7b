#pragma once

#include <array>
#include <optional>

#include "metrics/bleu_counts.h"
#include "metrics/bleu_tokenizers.h"
#include "metrics/metric.h"

namespace dhyan {

// Smoothing of an n-gram order without a match, which would make the score 0 ([chen2014]).
enum class Smoothing { kExp, kNone, kFloor, kAddK };

struct SmoothingEntry {
  std::string_view name;
  std::string_view description;
  Smoothing smoothing;
  std::optional<double> value;  // the default value, if the smoothing has one
};
std::span<const SmoothingEntry> smoothings();

struct BleuOptions {
  std::string tokenizer = "13a";     // in the table of bleu_tokenizers()
  std::string smoothing = "exp";     // in the table of smoothings()
  std::optional<double> value = {};  // of the smoothing; empty: its default
  bool lowercase = false;
  bool effective_order = false;  // skip orders without n-grams in a short text: for single sentences
};

struct BleuScore {
  double score = 0;                             // 0 to 100
  std::array<double, kBleuOrder> precisions{};  // percent, smoothed
  double brevity_penalty = 1;
  Index hypothesis_length = 0;
  Index reference_length = 0;
};

// BLEU ([papineni2002]) as sacreBLEU computes it ([post2018]).
class Bleu final : public Metric {
 public:
  explicit Bleu(const BleuOptions& options = {});  // ConfigError for unknown names

  std::string name() const override { return "BLEU"; }
  std::string settings() const override;
  Counts counts(std::string_view hypothesis, std::span<const std::string> references) const override;
  double score(const Counts& sums) const override { return scored(sums).score; }
  std::string details(const Counts& sums) const override;

  BleuScore scored(const Counts& sums) const;

 private:
  std::u32string tokenized(std::string_view line) const;

  BleuOptions options_;
  const BleuTokenizer& tokenizer_;
  const SmoothingEntry& smoothing_;
  double value_;
};

}  // namespace dhyan
