#include "decoding/attention_trace.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "kernels/bfloat16/bfloat16_rows.h"

namespace dhyan {

namespace {

using NumberRows = std::vector<std::vector<Real>>;

// Rows [first, first + count) of a Var of any dtype.
NumberRows rows_of(const Var& x, Index first, Index count) {
  if (!x) return {};
  const Index width = x.cols();
  NumberRows rows(static_cast<std::size_t>(count), std::vector<Real>(static_cast<std::size_t>(width)));
  for (Index r = 0; r < count; ++r) {
    std::vector<Real>& row = rows[static_cast<std::size_t>(r)];
    if (x.value().dtype() == Dtype::kBfloat16) {
      const Bfloat16* stored = kernels::bfloat16_matrix(x.value()).row(first + r);
      kernels::widen({stored, 1, width, width}, {row.data(), 1, width, width});
    } else {
      const std::span<const Real> numbers = x.value().row(first + r);
      row.assign(numbers.begin(), numbers.end());
    }
  }
  return rows;
}

// The columns of one head.
std::vector<Real> of_head(const std::vector<Real>& row, Index head, Index heads) {
  const auto width = std::ssize(row) / heads;
  return {row.begin() + head * width, row.begin() + (head + 1) * width};
}

NumberRows of_head(const NumberRows& rows, Index head, Index heads) {
  NumberRows columns;
  for (const std::vector<Real>& row : rows) columns.push_back(of_head(row, head, heads));
  return columns;
}

// Adds the layer of a step to its traces, which begin at `traces`.
void add_step(const AttentionStep& step, std::span<AttentionTrace> traces) {
  const AttentionParts& parts = *step.parts;
  const EnergyTerms& terms = parts.terms;
  const bool is_sum = terms.kind != EnergyTerms::Kind::kNone;
  const std::vector<Real> query = rows_of(parts.query, 0, 1).front();
  const std::vector<Real> term_query = is_sum ? rows_of(terms.query, 0, 1).front() : std::vector<Real>();
  for (AttentionTrace& trace : traces) {
    const bool splits_query = terms.kind == EnergyTerms::Kind::kProducts;
    trace.query.push_back(splits_query ? of_head(query, trace.head, step.layout.heads) : query);
    if (is_sum) trace.term_query.push_back(of_head(term_query, trace.head, step.layout.heads));
  }
}

// All columns: the last step attends to every position.
void add_keys(const AttentionStep& last, std::span<AttentionTrace> traces) {
  const AttentionParts& parts = *last.parts;
  const EnergyTerms& terms = parts.terms;
  const Index S = last.layout.keys.length(0), heads = last.layout.heads;
  const NumberRows values = rows_of(parts.values, parts.first_key, S), keys = rows_of(terms.keys, parts.first_key, S);
  const std::span<const Real> v = terms.v ? terms.v.value().span() : std::span<const Real>();
  for (AttentionTrace& trace : traces) {
    trace.kind = terms.kind;
    trace.query_name = terms.query_name;
    trace.key_name = terms.key_name;
    trace.scale = terms.scale;
    trace.values = of_head(values, trace.head, heads);
    trace.term_keys = of_head(keys, trace.head, heads);
    trace.v = of_head(std::vector<Real>(v.begin(), v.end()), trace.head, heads);
  }
}

std::vector<AttentionTrace> traces_for(const DecoderStep& step) {
  std::vector<AttentionTrace> traces;
  for (const AttentionStep& layer : step.attention) {
    for (Index head = 0; head < layer.layout.heads; ++head) {
      traces.push_back({.place = layer.place, .layer = layer.layer, .head = head});
    }
  }
  return traces;
}

}  // namespace

double AttentionTrace::term(std::size_t i, std::size_t j, std::size_t k) const {
  const double q = term_query[i][k], key = term_keys[j][k];
  return kind == EnergyTerms::Kind::kTanh ? double{v[k]} * std::tanh(q + key) : scale * q * key;
}

std::vector<AttentionTrace> trace_attention(Decoding& decoding, std::span<const TokenId> tokens) {
  if (decoding.sentences() != 1) {
    throw UsageError(cat("trace_attention: a decoding of ", decoding.sentences(), " sentences, expected 1"));
  }
  std::vector<AttentionTrace> traces;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const RowId row = 0;
    const TokenId before = i == 0 ? kBegin : tokens[i - 1];
    const DecoderStep step = decoding.step({.rows = std::span(&row, 1),
                                            .tokens = std::span(&before, 1),
                                            .hypotheses = Segments::one(1),
                                            .attention = KeepAttention::kParts});
    if (std::ranges::any_of(step.attention, [](const AttentionStep& layer) { return layer.parts == nullptr; }))
      return {};
    if (i == 0) traces = traces_for(step);
    std::size_t first = 0;
    for (const AttentionStep& layer : step.attention) {
      const auto own = std::span(traces).subspan(first, static_cast<std::size_t>(layer.layout.heads));
      add_step(layer, own);
      if (i + 1 == tokens.size()) add_keys(layer, own);
      first += own.size();
    }
  }
  return traces;
}

}  // namespace dhyan
