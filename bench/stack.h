#pragma once

#include <string>
#include <vector>

#include "autograd/tape.h"
#include "core/rng.h"

namespace dhyan::bench {

// A Transformer reduced to a sequence of its linear layers, and its output layer with loss.
struct StackSize {
  std::string name;
  Index layers;  // of the encoder, and of the decoder
  Index d, ff, V;
};

struct GemmShape {
  Index I, O;
};

// The linear layers: four [d,d] for self-attention, four more in a decoder layer for cross-attention, [d,ff], [ff,d].
std::vector<GemmShape> gemm_shapes(const StackSize& size);

// Forward and backward of `rows` rows: 2 flops forward and 4 backward for each weight and row, output layer included.
double flops(const StackSize& size, Index rows);

// The stack with dhyan's ops and autograd.
class Stack {
 public:
  Stack(ParameterSet& parameters, const StackSize& size);
  Var loss(Scope& scope, const Tensor& x, std::span<const RowId> targets) const;

 private:
  struct Layer {
    const Parameter* weight;
    const Parameter* bias;
  };
  std::vector<Layer> layers_;
  Layer output_;
};

// The same GEMMs alone, with the same shapes and in the same order, on their own memory.
class BareStack {
 public:
  BareStack(const StackSize& size, Index rows);
  void run();

 private:
  struct Layer {
    Tensor x, dx, w, dw, y, dy;
  };
  std::vector<Layer> layers_;
  Tensor x_, dx_, w_, dw_, logits_;  // of the output layer
};

}  // namespace dhyan::bench
