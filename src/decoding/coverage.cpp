#include "decoding/coverage.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace dhyan {

namespace {

constexpr double kLeastCovered = 1e-4;  // bounds the penalty of a word without attention

bool is_cross(const AttentionStep& attention) { return attention.place == AttentionPlace::kCross; }

}  // namespace

void CrossWeights::read(const DecoderStep& step) {
  if (!wanted_) return;
  const auto first = std::ranges::find_if(step.attention, is_cross);
  if (first == step.attention.end()) {
    throw UsageError("search: a coverage penalty needs a model with cross-attention; this one has none");
  }
  begins_.assign(1, 0);
  const kernels::AttentionLayout& layout = first->layout;
  for (Index b = 0; b < layout.queries.count(); ++b) {
    for (Index t = 0; t < layout.queries.length(b); ++t) {
      begins_.push_back(begins_.back() + static_cast<std::size_t>(layout.keys.length(b)));
    }
  }
  weights_.assign(begins_.back(), 0);
  const auto layers = std::ranges::count_if(step.attention, is_cross);
  for (const AttentionStep& attention : step.attention) {
    if (is_cross(attention)) add(attention, 1 / static_cast<Real>(layers * attention.layout.heads));
  }
}

void CrossWeights::add(const AttentionStep& attention, Real share) {
  const Real* weights = attention.weights.value().data();
  kernels::for_each_block(attention.layout, [&](const kernels::LayoutBlock& block) {
    for (Index t = 0; t < block.T; ++t) {
      Real* row = weights_.data() + begins_[static_cast<std::size_t>(block.query_begin + t)];
      for (Index j = 0; j < block.S; ++j) row[j] += share * weights[block.offset + t * block.S + j];
    }
  });
}

std::span<const Real> CrossWeights::of(Index row) const {
  if (!wanted_) return {};
  const std::size_t begin = begins_[static_cast<std::size_t>(row)];
  return std::span(weights_).subspan(begin, begins_[static_cast<std::size_t>(row) + 1] - begin);
}

// [wu2016] eq. 14: cp = β Σ_j log min(Σ_i α_ij, 1)
double HypothesisScore::operator()(double log_probability, Index length, std::span<const double> covered) const {
  const double score = normalised(log_probability, length, penalty_, norm_);
  if (covered.empty()) return score;
  double sum = 0;
  for (const double attention : covered.first(covered.size() - 1)) {
    sum += std::log(std::clamp(attention, kLeastCovered, 1.0));
  }
  return score + coverage_ * sum;
}

std::vector<double> more_covered(std::span<const double> covered, std::span<const Real> looked) {
  std::vector<double> sums(looked.begin(), looked.end());
  for (std::size_t j = 0; j < covered.size(); ++j) sums[j] += covered[j];
  return sums;
}

}  // namespace dhyan
