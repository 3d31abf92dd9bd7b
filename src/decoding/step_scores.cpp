#include "decoding/step_scores.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "kernels/softmax.h"

namespace dhyan {

namespace {

constexpr Index kNeverGiven = 2;  // <pad> and <s>

bool can_be_given(const kernels::Ranked& word) { return word.column != kPad && word.column != kBegin; }

}  // namespace

void StepScores::read(const Var& logits) {
  logits_ = logits.value();
  const Index A = logits_.rows(), V = logits_.cols();
  if (V <= kEnd) throw ShapeError(cat("search: logits are ", logits.shape(), ", expected a vocabulary of 4 or more"));
  log_sums_.resize(static_cast<std::size_t>(A));
  kernels::log_sum_exp_rows(logits_.matrix(), log_sums_);
  if (!std::ranges::all_of(log_sums_, [](double sum) { return std::isfinite(sum); })) {
    throw ModelFileError("search: the model gives no numbers; its weights hold NaN or are too large");
  }
  rank(logits_);
}

// log p_j = z_j - log Σ_v exp z_v
double StepScores::log_probability(Index row, TokenId token) const {
  if (token < 0 || token >= logits_.cols()) {
    throw UsageError(cat("search: token ", token, " is outside of a vocabulary of ", logits_.cols()));
  }
  return double{logits_.row(row)[static_cast<std::size_t>(token)]} - log_sums_[static_cast<std::size_t>(row)];
}

void StepScores::rank(const Tensor& logits) {
  const Index A = logits.rows(), V = logits.cols();
  best_count_ = std::min(wanted_, V - kNeverGiven);
  if (best_count_ == 0) return;
  const auto k = static_cast<std::size_t>(best_count_ + kNeverGiven);
  ranked_.resize(k * static_cast<std::size_t>(A));
  kernels::top_k_rows(logits.matrix(), static_cast<Index>(k), ranked_);
  best_.clear();
  for (Index row = 0; row < A; ++row) {
    const auto end = best_.size() + static_cast<std::size_t>(best_count_);
    for (const kernels::Ranked& word : std::span(ranked_).subspan(static_cast<std::size_t>(row) * k, k)) {
      if (best_.size() == end) break;
      if (can_be_given(word)) best_.push_back({word.column, log_probability(row, word.column)});
    }
  }
}

std::span<const Candidate> StepScores::best(Index row) const {
  const auto count = static_cast<std::size_t>(best_count_);
  return std::span(best_).subspan(static_cast<std::size_t>(row) * count, count);
}

}  // namespace dhyan
