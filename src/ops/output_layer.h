#pragma once

#include <span>
#include <vector>

#include "autograd/tape.h"
#include "kernels/rows/top_k.h"

namespace dhyan {

// The last layer of a model, which computes the logits.
struct OutputLayer {
  Var weight;  // [V,H]: one row per word, as in an embedding table, so the two can be tied
  Var bias;    // [V], or none
};

Var output_logits(const Var& x, const OutputLayer& layer);  // [.,H] -> [.,V]

// The k largest logits of each row, largest first and ties by word; the same bytes as those of output_logits. Without a
// tape. Empty if selecting from all logits is as fast.
std::vector<kernels::Ranked> best_outputs(const Var& x, const OutputLayer& layer, Index k);  // [.,H] -> [.,k]

// The same k, and log Σ_v exp z_v over all logits of the row. Computes the logits in chunks that stay in the cache.
// Both are empty if there are fewer than k words.
struct RankedOutputs {
  std::vector<kernels::Ranked> best;  // [.,k]
  std::vector<double> log_sums;       // [.]
};
RankedOutputs ranked_outputs(const Var& x, const OutputLayer& layer, Index k);  // x [.,H]

// For ops that compute the layer and its loss chunk by chunk: the gradients for d(loss) = 1, computed in the forward
// pass while the logits exist. Empty if not needed.
struct OutputGradients {
  Tensor x;       // [M,H]
  Tensor weight;  // [V,H]
  Tensor bias;    // [V]

  OutputGradients(const Var& x, const OutputLayer& layer);
  bool wanted() const { return !x.empty() || !weight.empty() || !bias.empty(); }
};

// Throws ShapeError, or DataError for a target outside the vocabulary.
void check_output(const char* op, const Var& x, const OutputLayer& layer);
void check_output(const char* op, const Var& x, const OutputLayer& layer, std::span<const RowId> targets);

void make_logits(const Tensor& x, const OutputLayer& layer, const Tensor& z);  // [C,H] -> [C,V]

// Rows [begin, begin + C) of x. `beta` is 0 for the first gradient that is added to the weight, else 1.
struct OutputChunk {
  Index begin = 0;
  Real beta = 0;
};
void chunk_backward(const Tensor& x, const OutputLayer& layer, const Tensor& dz, const OutputChunk& chunk,  // dz [C,V]
                    const OutputGradients& d);

void add_scaled(const Var& to, const Tensor& gradient, Real factor);  // does nothing if the gradient is empty

}  // namespace dhyan
