#pragma once

#include <span>
#include <vector>

#include "decoding/search.h"

namespace dhyan {

// Cross-attention of each hypothesis of a step, averaged over layers and heads.
class CrossWeights {
 public:
  enum class Wanted { kNo, kYes };
  explicit CrossWeights(Wanted wanted) : wanted_(wanted == Wanted::kYes) {}

  bool wanted() const { return wanted_; }

  // UsageError if coverage is scored and the model has no cross-attention.
  void read(const DecoderStep& step);

  std::span<const Real> of(Index row) const;  // [S]; empty if coverage is not scored

 private:
  void add(const AttentionStep& attention, Real share);

  bool wanted_;
  std::vector<std::size_t> begins_;  // begin of each row, and the end of the last
  std::vector<Real> weights_;        // row after row
};

// The score that ranks finished hypotheses: log p normalised by length, plus the coverage penalty ([wu2016] section 7).
class HypothesisScore {
 public:
  explicit HypothesisScore(const SearchOptions& options)
      : penalty_(options.length_penalty), norm_(options.length_norm), coverage_(options.coverage_penalty) {}

  CrossWeights::Wanted needs_coverage() const {
    return coverage_ > 0 ? CrossWeights::Wanted::kYes : CrossWeights::Wanted::kNo;
  }

  // `covered`: Σ_i α_ij of each source token, </s> last; empty if coverage is not scored. Full coverage costs nothing.
  double operator()(double log_probability, Index length, std::span<const double> covered = {}) const;

 private:
  double penalty_;
  LengthNorm norm_;
  double coverage_;
};

// covered + looked; `covered` may be empty, as before the first word.
std::vector<double> more_covered(std::span<const double> covered, std::span<const Real> looked);

}  // namespace dhyan
