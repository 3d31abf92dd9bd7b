#include "models/aligner_network.h"

#include <algorithm>
#include <cmath>

#include "kernels/rows/rows.h"
#include "kernels/rows/softmax.h"
#include "ops/arithmetic.h"
#include "ops/embedding.h"
#include "ops/matmul.h"
#include "ops/rows.h"
#include "ops/softmax.h"

namespace dhyan {

namespace {

constexpr Index kChunkRows = 128;  // source words whose logits exist at once

const Initializer kSmall{.name = "uniform", .number = 0.15};

// Vocabularies list frequent words first, so by Zipf's law log p of word v falls like log v ([zipf1949]). Training
// would otherwise spend its first epochs on frequencies.
const Parameter* add_frequencies(ParameterSet& parameters, Index V, const Rng& rng) {
  constexpr double kFlatTop = 10;
  Parameter& bias = parameters.add("target.bias", {V, 1});
  if (rng.is_unused()) return &bias;
  for (Index v = 0; v < V; ++v) {
    bias.value.data()[v] = static_cast<Real>(-std::log(static_cast<double>(v) + kFlatTop));
  }
  return &bias;
}

// Close places follow each other: s_d = -|d - 1| / 3.
const Parameter* add_jumps(ParameterSet& parameters, Index range, const Rng& rng) {
  Parameter& jumps = parameters.add("jumps", {2 * range + 1});
  if (rng.is_unused()) return &jumps;
  for (Index d = -range; d <= range; ++d) {
    jumps.value.data()[d + range] = -static_cast<Real>(std::abs(d - 1)) / 3;
  }
  return &jumps;
}

}  // namespace

AlignerNetwork::AlignerNetwork(ParameterSet& parameters, const AlignerConfig& config, const Rng& rng)
    : source_(parameters, "source", config.source_vocabulary, config.hidden,
              {.word_dropout = config.word_dropout, .table = kSmall, .rng = rng}),
      target_(add_table(parameters, "target.table", {config.target_vocabulary, config.hidden}, kSmall, rng)),
      bias_(add_frequencies(parameters, config.target_vocabulary, rng)),
      jumps_(add_jumps(parameters, config.jump_range, rng)),
      dropout_(config.dropout),
      null_(config.null_probability),
      negatives_(config.negatives) {}

Var AlignerNetwork::annotations(Scope& scope, std::span<const TokenId> tokens) const { return source_(scope, tokens); }

// log p(y | x) = z_y - log (Σ_{v in batch} exp z_v + n/k Σ_{k drawn} exp z_v), where n words are not in the batch
Var AlignerNetwork::sampled_table(Scope& scope, const BatchWords& words) const {
  const Index V = target_->value.rows(), Q = std::ssize(words.targets), drawn = Q - words.occurring;
  const Tensor weight = Tensor::zeros_in(scope.arena(), {Q});  // [Q]
  if (drawn > 0) {
    const double share = static_cast<double>(V - words.occurring) / static_cast<double>(drawn);
    std::fill_n(weight.data() + words.occurring, drawn, static_cast<Real>(std::log(share)));
  }
  const Var h = dropout_({source_(scope, words.sources), Segments::one(std::ssize(words.sources))});  // [K,H]
  const Var u = embedding(scope, scope.parameter(*target_), words.targets);                           // [Q,H]
  const Var b = reshape(embedding(scope, scope.parameter(*bias_), words.targets), {Q});               // [Q]
  const Var z = matmul(h, Transpose::kNo, u, Transpose::kYes);                                        // [K,Q]
  return log_softmax(add_bias(z, add(b, scope.constant(weight))));                                    // [K,Q]
}

// Calls f(first, z) for the logits z [.,V] of source words from `first` on, which f may overwrite.
template <class F>
void AlignerNetwork::for_each_chunk(Scope& scope, std::span<const RowId> sources, const F& f) const {
  const Index K = std::ssize(sources);
  for (Index begin = 0; begin < K; begin += kChunkRows) {
    Frame frame(scope);
    const Index rows = std::min(kChunkRows, K - begin);
    const Var h = source_(scope, sources.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(rows)));
    const OutputLayer layer{scope.parameter(*target_), reshape(scope.parameter(*bias_), {target_->value.rows()})};
    f(begin, output_logits(h, layer).value());  // [.,V]
  }
}

Var AlignerNetwork::table(Scope& scope, const BatchWords& words) const {
  const Index K = std::ssize(words.sources), Q = std::ssize(words.targets);
  const Tensor table = scope.tensor({K, Q});  // [K,Q]
  for_each_chunk(scope, words.sources, [&](Index begin, const Tensor& z) {
    kernels::log_softmax_rows(z.matrix(), z.matrix());
    kernels::gather_columns(z.matrix(), words.targets, table.row_range(begin, begin + z.rows()).matrix());
  });
  return scope.constant(table);
}

Var AlignerNetwork::probabilities(Scope& scope, std::span<const RowId> sources) const {
  const Tensor all = scope.tensor({std::ssize(sources), target_->value.rows()});  // [K,V]
  for_each_chunk(scope, sources, [&](Index begin, const Tensor& z) {
    kernels::softmax_rows(z.matrix(), all.row_range(begin, begin + z.rows()).matrix());
  });
  return scope.constant(all);
}

}  // namespace dhyan
