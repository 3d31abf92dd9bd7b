#include "lab/recall.h"

#include "ops/embedding.h"
#include "ops/rows.h"

namespace dhyan::lab {

void RecallTask::append(RecallBatch& batch, Index length, Index distance, Rng& rng) const {
  const auto some = [&] { return static_cast<RowId>(rng.below(static_cast<std::uint64_t>(answers_))); };
  const auto begin = std::ssize(batch.symbols);
  for (Index i = 0; i < length; ++i) batch.symbols.push_back(some());
  const auto marked = static_cast<std::size_t>(begin + length - distance);
  batch.answers.push_back(batch.symbols[marked]);
  batch.symbols[marked] += static_cast<RowId>(answers_);
  batch.marked.push_back(static_cast<Index>(marked));
  batch.symbols.push_back(static_cast<RowId>(2 * answers_));
}

RecallBatch RecallTask::draw(Index sentences, Index longest, Rng rng) const {
  RecallBatch batch;
  std::vector<Index> lengths;
  for (Index b = 0; b < sentences; ++b) {
    const auto length = static_cast<Index>(1 + rng.below(static_cast<std::uint64_t>(longest)));
    append(batch, length, static_cast<Index>(1 + rng.below(static_cast<std::uint64_t>(length))), rng);
    lengths.push_back(length + 1);
  }
  batch.segments = Segments::from_lengths(lengths);
  return batch;
}

RecallBatch RecallTask::at_distance(Index sentences, Index length, Index distance, Rng rng) const {
  RecallBatch batch;
  for (Index b = 0; b < sentences; ++b) append(batch, length, distance, rng);
  batch.segments = Segments::from_lengths(std::vector<Index>(static_cast<std::size_t>(sentences), length + 1));
  return batch;
}

RecallNetwork::RecallNetwork(const RecallTask& task, const std::string& cell, bool attends, const RecallSize& size,
                             const Rng& rng)
    : symbols_(add_table(parameters_, "symbols", {task.vocabulary(), size.embedding}, {}, rng)),
      layer_(parameters_, "layer", {size.embedding, size.hidden}, {.cell = cell, .weights = {.rng = rng}}) {
  if (attends) {
    attention_.emplace(parameters_, "attention", AttentionSize{size.hidden, size.hidden}, AttentionConfig(), rng);
  }
  const Index read = attends ? 2 * size.hidden : size.hidden;
  weight_ = add_table(parameters_, "output.weight", {task.answers(), read}, {}, rng);
  bias_ = add_parameter(parameters_, "output.bias", {task.answers()}, {.name = "zeros"}, rng);
}

Var RecallNetwork::inputs(Scope& scope, const RecallBatch& batch) const {
  return embedding(scope, scope.parameter(*symbols_), batch.symbols);  // [ΣS,E]
}

Var RecallNetwork::last_step(const Var& inputs, const RecallBatch& batch) const {
  const Recurred read = layer_({inputs, batch.segments}, RecurrentPlan(batch.segments));  // [ΣS,H]
  const Var last = last_rows(read.annotations, batch.segments);                           // [B,H]
  if (!attention_) return last;
  const Memory memory = attention_->prepare({read.annotations, batch.segments});
  const Attended attended = (*attention_)({last, Segments::singles(batch.segments.count())}, memory);
  return concat_cols({last, attended.context});  // [B,2H]
}

OutputLayer RecallNetwork::output(Scope& scope) const { return {scope.parameter(*weight_), scope.parameter(*bias_)}; }

}  // namespace dhyan::lab
