#include "decoding/step_records.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace dhyan {

namespace {

std::vector<Real> numbers_of(const Var& var) {
  const std::span<const Real> numbers = var.value().span();
  return {numbers.begin(), numbers.end()};
}

// `count` elements from `begin` on.
template <class T>
std::vector<T> part_of(const std::vector<T>& numbers, Index begin, Index count) {
  return {numbers.begin() + begin, numbers.begin() + begin + count};
}

// Offset of the first element of each segment.
std::vector<Index> offsets_of(const kernels::AttentionLayout& layout) {
  std::vector<Index> offsets;
  Index offset = 0;
  for (Index b = 0; b < layout.queries.count(); ++b) {
    offsets.push_back(offset);
    offset += layout.heads * layout.queries.length(b) * layout.keys.length(b);
  }
  return offsets;
}

std::vector<Index> segments_of_rows(const Segments& segments) {
  std::vector<Index> numbers;
  for (Index b = 0; b < segments.count(); ++b) {
    numbers.insert(numbers.end(), static_cast<std::size_t>(segments.length(b)), b);
  }
  return numbers;
}

// Later rows may have more columns; pads earlier rows.
void square(std::vector<std::vector<Real>>& rows, Real unseen) {
  std::size_t columns = 0;
  for (const std::vector<Real>& row : rows) columns = std::max(columns, row.size());
  for (std::vector<Real>& row : rows) row.resize(columns, unseen);
}

void square(AttentionRecord& record) {
  square(record.weights, 0);
  square(record.energy, -std::numeric_limits<Real>::infinity());
}

}  // namespace

bool StepRecords::wanted(const AttentionStep& attention) const {
  return keep_ == RecordedAttention::kSteps ||
         (keep_ == RecordedAttention::kWeights && attention.place == AttentionPlace::kCross);
}

StepRecords::Layer StepRecords::copy_of(const AttentionStep& attention) {
  Layer layer{.place = attention.place, .number = attention.layer, .layout = attention.layout};
  layer.offsets = offsets_of(attention.layout);
  layer.segment_of = segments_of_rows(attention.layout.queries);
  layer.weights = numbers_of(attention.weights);
  if (keep_ == RecordedAttention::kSteps) {
    layer.energy = numbers_of(attention.energy);
    layer.context = numbers_of(attention.context);
  }
  recorded_ += std::ssize(layer.weights) + std::ssize(layer.energy) + std::ssize(layer.context);
  if (recorded_ > most_) {
    throw DataError(cat("search: the attention to record has more than ", most_,
                        " numbers; expected a shorter text or a smaller beam"));
  }
  return layer;
}

void StepRecords::add_source(std::span<const AttentionStep> attention) {
  for (const AttentionStep& layer : attention) {
    if (wanted(layer)) source_.push_back(copy_of(layer));
  }
}

void StepRecords::add(const DecoderStep& step, const StepScores& scores) {
  if (keep_ == RecordedAttention::kNothing) return;
  Step& added = steps_.emplace_back();
  for (const AttentionStep& attention : step.attention) {
    if (wanted(attention)) added.layers.push_back(copy_of(attention));
  }
  if (keep_ != RecordedAttention::kSteps) return;
  for (Index row = 0; row < step.logits.rows(); ++row) {
    const std::span<const Candidate> best = scores.best(row);
    added.k = std::min(candidates_, static_cast<Index>(best.size()));
    added.candidates.insert(added.candidates.end(), best.begin(), best.begin() + added.k);
  }
}

void StepRecords::append(const Layer& layer, Index row, AttentionRecord& record) const {
  const Index b = layer.segment_of[static_cast<std::size_t>(row)];
  const Index T = layer.layout.queries.length(b), S = layer.layout.keys.length(b);
  const Index t = row - layer.layout.queries.begin(b);
  const Index offset = layer.offsets[static_cast<std::size_t>(b)] + (record.head * T + t) * S;
  record.weights.push_back(part_of(layer.weights, offset, S));
  if (keep_ != RecordedAttention::kSteps) return;
  record.energy.push_back(part_of(layer.energy, offset, S));
  const Index N = layer.layout.heads;
  const Index K = static_cast<Index>(layer.context.size()) / (layer.layout.queries.rows() * N);
  record.context.push_back(part_of(layer.context, (row * N + record.head) * K, K));
}

void StepRecords::fill_source(Index b, Hypothesis& hypothesis) const {
  for (const Layer& layer : source_) {
    for (Index head = 0; head < layer.layout.heads; ++head) {
      AttentionRecord record{.place = layer.place, .layer = layer.number, .head = head};
      const Segments& queries = layer.layout.queries;
      for (Index row = queries.begin(b); row < queries.end(b); ++row) append(layer, row, record);
      hypothesis.attention.push_back(std::move(record));
    }
  }
}

void StepRecords::fill(Index b, std::span<const RowId> rows, Hypothesis& hypothesis) const {
  if (keep_ == RecordedAttention::kNothing || rows.empty()) return;
  const std::vector<Layer>& layers = steps_.front().layers;
  for (std::size_t number = 0; number < layers.size(); ++number) {
    for (Index head = 0; head < layers[number].layout.heads; ++head) {
      AttentionRecord record{.place = layers[number].place, .layer = layers[number].number, .head = head};
      for (std::size_t t = 0; t < rows.size(); ++t) append(steps_[t].layers[number], rows[t], record);
      square(record);
      hypothesis.attention.push_back(std::move(record));
    }
  }
  fill_source(b, hypothesis);
  if (keep_ != RecordedAttention::kSteps) return;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    hypothesis.candidates.push_back(part_of(steps_[t].candidates, rows[t] * steps_[t].k, steps_[t].k));
  }
}

}  // namespace dhyan
