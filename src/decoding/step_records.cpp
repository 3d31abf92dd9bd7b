#include "decoding/step_records.h"

#include <algorithm>

namespace dhyan {

namespace {

std::vector<Real> numbers_of(const Var& var) {
  const std::span<const Real> numbers = var.value().span();
  return {numbers.begin(), numbers.end()};
}

// `count` numbers from `begin` on.
template <class T>
std::vector<T> part_of(const std::vector<T>& numbers, Index begin, Index count) {
  return {numbers.begin() + begin, numbers.begin() + begin + count};
}

// Where the numbers of each sentence begin.
std::vector<Index> offsets_of(const kernels::Pairing& pairing) {
  std::vector<Index> offsets;
  Index offset = 0;
  for (Index b = 0; b < pairing.queries.count(); ++b) {
    offsets.push_back(offset);
    offset += pairing.heads * pairing.queries.length(b) * pairing.keys.length(b);
  }
  return offsets;
}

}  // namespace

StepRecords::Layer StepRecords::copy_of(const AttentionStep& attention) const {
  Layer layer;
  layer.pairing = attention.pairing;
  layer.offsets = offsets_of(attention.pairing);
  layer.weights = numbers_of(attention.weights);
  if (keep_ != Keep::kSteps) return layer;
  layer.energy = numbers_of(attention.energy);
  layer.context = numbers_of(attention.context);
  return layer;
}

void StepRecords::add(const DecoderStep& step, const StepScores& scores) {
  if (keep_ == Keep::kNothing) return;
  Step& added = steps_.emplace_back();
  for (const AttentionStep& attention : step.attention) added.layers.push_back(copy_of(attention));
  if (keep_ != Keep::kSteps) return;
  for (Index row = 0; row < step.logits.rows(); ++row) {
    const std::span<const Candidate> best = scores.best(row);
    added.k = std::min(candidates_, static_cast<Index>(best.size()));
    added.candidates.insert(added.candidates.end(), best.begin(), best.begin() + added.k);
  }
}

void StepRecords::append(const Layer& layer, Index b, RowId row, AttentionRecord& record) const {
  const Index T = layer.pairing.queries.length(b), S = layer.pairing.keys.length(b);
  const Index t = row - layer.pairing.queries.begin(b);
  const Index offset = layer.offsets[static_cast<std::size_t>(b)] + (record.head * T + t) * S;
  record.weights.push_back(part_of(layer.weights, offset, S));
  if (keep_ != Keep::kSteps) return;
  record.energy.push_back(part_of(layer.energy, offset, S));
  const Index N = layer.pairing.heads;
  const Index K = static_cast<Index>(layer.context.size()) / (layer.pairing.queries.rows() * N);
  record.context.push_back(part_of(layer.context, (row * N + record.head) * K, K));
}

void StepRecords::fill(Index b, std::span<const RowId> rows, Hypothesis& hypothesis) const {
  if (keep_ == Keep::kNothing || rows.empty()) return;
  const std::vector<Layer>& layers = steps_.front().layers;
  for (std::size_t number = 0; number < layers.size(); ++number) {
    for (Index head = 0; head < layers[number].pairing.heads; ++head) {
      AttentionRecord& record = hypothesis.attention.emplace_back();
      record.layer = static_cast<Index>(number);
      record.head = head;
      for (std::size_t t = 0; t < rows.size(); ++t) append(steps_[t].layers[number], b, rows[t], record);
    }
  }
  if (keep_ != Keep::kSteps) return;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    hypothesis.candidates.push_back(part_of(steps_[t].candidates, rows[t] * steps_[t].k, steps_[t].k));
  }
}

}  // namespace dhyan
