#pragma once

#include <type_traits>

#include "autograd/tape.h"
#include "kernels/gemm/packed_matrix.h"
#include "kernels/int8/int8_matrix.h"

namespace dhyan {

// Inputs and output gradients of small GEMMs with one weight, stacked for one large dW += xᵀ dy.
struct GatheredProducts {
  Matrix x;   // [C,I]
  Matrix dy;  // [C,O]
  Index rows = 0;
};

// Results that ops derive from a value and reuse during the step (Node::cache).
struct OpCache {
  int linear_calls = 0;                                    // of a weight, on a tape: calls of linear() so far
  Index product_rows = 0;                                  // rows of all these calls
  GatheredProducts gathered;                               // no data until backward gathers the first rows
  const kernels::PackedPanels* panels[2] = {};             // of a weight of several GEMMs: as stored, transposed
  const kernels::QuantizedRows* quantized_rows = nullptr;  // of a value that int8 weights multiply
};
static_assert(std::is_trivially_destructible_v<OpCache>, "the arena does not destroy what it holds for a node");

// The cache of x, made in the arena of its scope by the first call.
inline OpCache& op_cache(const Var& x) {
  OpCache*& cache = x.node().cache;
  if (cache == nullptr) cache = &x.scope().arena().make<OpCache>();
  return *cache;
}

}  // namespace dhyan
