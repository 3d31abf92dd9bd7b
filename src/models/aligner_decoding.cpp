#include "models/aligner_decoding.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/weight_edits.h"
#include "ops/attention_products.h"
#include "ops/ragged.h"

namespace dhyan {

AlignerDecoding::AlignerDecoding(const AlignerNetwork& network, const SourceBatch& source)
    : network_(network),
      source_segments_(source.segments),
      edits_(source.edits),
      source_(source),
      now_(source),
      words_(batch_words(source_.arena, network.sides(source.tokens, {}))),
      probabilities_(network.probabilities(source_.scope, words_.sources)),
      annotations_(network.annotations(source_.scope, source.tokens)) {}

std::span<const RowId> AlignerDecoding::keys(Index sentence) const {
  return words_.places.keys.subspan(static_cast<std::size_t>(source_segments_.begin(sentence)),
                                    static_cast<std::size_t>(source_segments_.length(sentence)));
}

// The places before the first word, which null leaves as open as they are. `next` may be edited; if all of it is null,
// it says nothing about them.
std::vector<double> AlignerDecoding::first_places(std::vector<double> next) const {
  if (next.back() >= 1) kernels::next_source({}, network_.chain(), next);
  const double sum = 1 - next.back();
  next.pop_back();
  for (double& each : next) each /= sum;
  return next;
}

// `before`: of the hypothesis that `token` continues; null at the first step.
AlignerDecoding::State AlignerDecoding::continued(const State* before, TokenId token, Index sentence) const {
  const std::span<const RowId> rows = keys(sentence);
  State state{.next = std::vector<double>(rows.size()), .places = {}};
  if (before != nullptr) {
    state.places = before->places;
    if (state.places.empty()) state.places = first_places(before->next);
    std::vector<Real> energy;
    for (const RowId row : rows) {
      energy.push_back(std::log(std::max(probabilities_.value().row(row)[static_cast<std::size_t>(token)],
                                         std::numeric_limits<Real>::min())));
    }
    kernels::update_places(before->next, energy, state.places);
  }
  kernels::next_source(state.places, network_.chain(), state.next);
  return state;
}

DecoderStep AlignerDecoding::step(const Continuation& continuation) {
  expect_continuation(continuation, sentences());
  now_.arena.reset();
  Scope& scope = now_.scope;
  const kernels::AttentionLayout layout{continuation.hypotheses, source_segments_};
  const Tensor chosen = scope.tensor({layout.count()});  // [Σ A_b S_b]
  std::vector<State> states;
  Real* to = chosen.data();
  for (Index b = 0; b < sentences(); ++b) {
    for (Index row = continuation.hypotheses.begin(b); row < continuation.hypotheses.end(b); ++row) {
      const auto a = static_cast<std::size_t>(row);
      const State* before = place_ == 0 ? nullptr : &states_[static_cast<std::size_t>(continuation.rows[a])];
      states.push_back(continued(before, continuation.tokens[a], b));
      to = std::ranges::transform(states.back().next, to, [](double p) { return static_cast<Real>(p); }).out;
    }
  }
  const Var weights = edited(scope.constant(chosen), layout, QueryPositions::all_at(place_), {edits_, 0});
  states_ = std::move(states);
  ++place_;

  DecoderStep result{.logits = scope.constant(scope.tensor({continuation.hypotheses.rows(), probabilities_.cols()}))};
  const Real* from = weights.value().data();
  for (Index b = 0; b < sentences(); ++b) {
    for (Index row = continuation.hypotheses.begin(b); row < continuation.hypotheses.end(b); ++row) {
      std::vector<double>& next = states_[static_cast<std::size_t>(row)].next;
      std::copy_n(from, next.size(), next.begin());  // edited weights lead on from where they look
      kernels::log_mixture(probabilities_.value().matrix(), keys(b), {from, next.size()},
                           result.logits.value().row(row));
      from += next.size();
    }
  }
  if (continuation.attention == KeepAttention::kNo) return result;
  const Tensor energy = scope.tensor(weights.shape());  // [Σ A_b S_b]
  std::ranges::transform(weights.value().span(), energy.data(), [](Real p) { return std::log(p); });
  const Var annotations = import_into(scope, annotations_);  // [ΣS,H]
  result.attention.push_back({.layout = layout,
                              .energy = scope.constant(energy),
                              .weights = weights,
                              .context = contexts(weights, annotations, layout)});
  return result;
}

}  // namespace dhyan
