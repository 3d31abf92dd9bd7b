#pragma once

#include "models/aligner_config.h"
#include "models/batch_words.h"
#include "nn/dropout.h"
#include "nn/embedding.h"
#include "ops/output_layer.h"
#include "text/tokenizer.h"

namespace dhyan {

// The weights of an aligner, and log p(y | x) of words by them.
class AlignerNetwork {
 public:
  AlignerNetwork(ParameterSet& parameters, const AlignerConfig& config, const Rng& rng);

  // With a tape: the sum over the vocabulary is estimated from `negatives` words.
  Var sampled_table(Scope& scope, const BatchWords& words) const;  // [K,Q]  log p(target | source)

  // Without a tape: the sum is exact.
  Var table(Scope& scope, const BatchWords& words) const;                 // [K,Q]  log p(target | source)
  Var probabilities(Scope& scope, std::span<const RowId> sources) const;  // [K,V]
  Var annotations(Scope& scope, std::span<const TokenId> tokens) const;   // [n,H]  h
  Var jumps(Scope& scope) const { return scope.parameter(*jumps_); }      // [2R+1]

  kernels::AlignmentChain chain() const { return {jumps_->value.span(), null_}; }
  WordSides sides(std::span<const TokenId> source, std::span<const TokenId> target) const {
    return {source, target, source_.table().value.rows(), target_->value.rows()};
  }
  Index negatives() const { return negatives_; }

 private:
  template <class F>
  void for_each_chunk(Scope& scope, std::span<const RowId> sources, const F& f) const;

  Embedding source_;
  const Parameter* target_;  // [V,H]  u
  const Parameter* bias_;    // [V,1]  b
  const Parameter* jumps_;   // [2R+1]
  Dropout dropout_;
  double null_;
  Index negatives_;
};

}  // namespace dhyan
