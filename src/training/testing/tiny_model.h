#pragma once

#include "core/rng.h"
#include "ops/activations.h"
#include "ops/dropout.h"
#include "ops/embedding.h"
#include "ops/linear.h"
#include "ops/output_loss.h"

namespace dhyan {

// For tests of training: predicts a word from the one before. Like a real model it has a row-sparse table, a weight
// that is used twice in a step, dropout and the fused loss.
class TinyModel {
 public:
  static constexpr Index kVocabulary = 50, kHidden = 24;

  TinyModel() {
    table_ = &parameters_.add("table", {kVocabulary, kHidden});
    weight_ = &parameters_.add("W", {kHidden, kHidden});
    bias_ = &parameters_.add("b", {kHidden});
    output_ = &parameters_.add("output", {kVocabulary, kHidden});
    Rng rng(1);
    for (Parameter& parameter : parameters_) {
      for (Real& x : parameter.value.span()) x = static_cast<Real>(rng.uniform(-0.3, 0.3));
    }
  }

  ParameterSet& parameters() { return parameters_; }

  // Words `from` to `to`, one row each; [] the loss summed over the rows.
  Var loss(Scope& scope, std::span<const RowId> from, std::span<const RowId> to, double dropped) const {
    const Var weight = scope.parameter(*weight_), bias = scope.parameter(*bias_);               // [H,H], [H]
    const Var x = dropout(embedding(scope, scope.parameter(*table_), from), dropped);           // [M,H]
    const Var h = tanh(linear(dropout(tanh(linear(x, weight, bias)), dropped), weight, bias));  // [M,H]
    return output_loss(h, {.weight = scope.parameter(*output_), .bias = {}}, to).loss;          // []
  }

 private:
  ParameterSet parameters_;
  const Parameter *table_, *weight_, *bias_, *output_;
};

// Random words for it, and the rows of a shard.
struct TinyBatch {
  std::vector<RowId> from, to;

  TinyBatch(std::uint64_t seed, std::size_t rows) {
    Rng rng(seed);
    for (std::size_t i = 0; i < rows; ++i) {
      from.push_back(static_cast<RowId>(rng.below(TinyModel::kVocabulary)));
      to.push_back(static_cast<RowId>((from.back() * 3 + 1) % TinyModel::kVocabulary));
    }
  }

  // The part of `words` that is shard number `shard` of `shards`.
  static std::span<const RowId> cut(const std::vector<RowId>& words, Index shard, int shards) {
    const auto rows = static_cast<Index>(words.size());
    const Index begin = shard * rows / shards, end = (shard + 1) * rows / shards;
    return std::span(words).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  }
};

}  // namespace dhyan
