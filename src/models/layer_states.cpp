#include "models/layer_states.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

void LayerStates::follow(std::span<const RowId> rows) {
  for (Layer& layer : layers_) {
    if (layer.width == 0) continue;
    layer.next.resize(rows.size() * static_cast<std::size_t>(layer.width));
    auto to = layer.next.begin();
    for (const RowId row : rows) {
      if (row < 0 || row >= hypotheses_) {
        throw UsageError(cat("LayerStates::follow: goes on from hypothesis ", row, ", there were ", hypotheses_));
      }
      to = std::copy_n(layer.now.begin() + row * layer.width, layer.width, to);
    }
    std::swap(layer.now, layer.next);
  }
  hypotheses_ = std::ssize(rows);
}

Var LayerStates::before(Scope& scope, Index layer, Index width) const {
  const Layer& from = layers_[static_cast<std::size_t>(layer)];
  const Tensor state = Tensor::zeros_in(scope.arena(), {hypotheses_, width});  // [A,width]
  if (from.width > 0) std::ranges::copy(from.now, state.data());
  return scope.constant(state);
}

void LayerStates::keep(Index layer, const Var& state) {
  Layer& to = layers_[static_cast<std::size_t>(layer)];
  expect_shape("LayerStates::keep", "state", state.shape(), {hypotheses_, state.cols()});
  to.width = state.cols();
  to.now.assign(state.value().span().begin(), state.value().span().end());
}

}  // namespace dhyan
