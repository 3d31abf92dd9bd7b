#include "attention/weight_edits.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

namespace {

// α_j = w_g α_j / Σ_{k in g} α_k for each key j of a group g, or w_g / |g| if that sum is 0.
void redistribute(const WeightEdit& edit, std::span<Real> row) {
  if (edit.group_of.size() != row.size()) {
    throw ShapeError(cat("attention: an edit is of ", edit.group_of.size(), " keys, expected ", row.size()));
  }
  std::vector<double> before(edit.sums.size(), 0), keys(edit.sums.size(), 0);
  for (std::size_t j = 0; j < row.size(); ++j) {
    before.at(edit.group_of[j]) += double{row[j]};
    ++keys[edit.group_of[j]];
  }
  for (std::size_t j = 0; j < row.size(); ++j) {
    const std::size_t group = edit.group_of[j];
    const double share = before[group] > 0 ? double{row[j]} / before[group] : 1 / keys[group];
    row[j] = static_cast<Real>(double{edit.sums[group]} * share);
  }
}

bool applies(const WeightEdit& edit, Index layer, Index head, Index step) {
  return edit.step == step && edit.layer.value_or(layer) == layer && edit.head.value_or(head) == head;
}

}  // namespace

Var edited(const Var& weights, const AttentionLayout& layout, const QueryPositions& positions,
           const LayerEdits& edits) {
  if (edits.sentences.empty()) return weights;
  if (weights.scope().recording()) throw UsageError("attention: edited weights have no gradient");
  if (std::ssize(edits.sentences) != layout.queries.count()) {
    throw ShapeError(
        cat("attention: edits of ", edits.sentences.size(), " sentences, expected ", layout.queries.count()));
  }
  const Tensor rows = weights.scope().tensor(weights.shape());  // [Σ N T_b S_b]
  std::ranges::copy(weights.value().span(), rows.span().begin());
  Index offset = 0;
  for (Index b = 0; b < layout.queries.count(); ++b) {
    const std::vector<WeightEdit>& own = edits.sentences[static_cast<std::size_t>(b)];
    const auto S = static_cast<std::size_t>(layout.keys.length(b));
    for (Index head = 0; head < layout.heads; ++head) {
      for (Index t = 0; t < layout.queries.length(b); ++t, offset += layout.keys.length(b)) {
        for (const WeightEdit& edit : own) {
          if (!applies(edit, edits.layer, head, positions.at(b, t))) continue;
          redistribute(edit, rows.span().subspan(static_cast<std::size_t>(offset), S));
        }
      }
    }
  }
  return make_result(rows, std::span(&weights, 1));
}

}  // namespace dhyan
