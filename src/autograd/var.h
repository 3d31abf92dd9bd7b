#pragma once

#include "core/arena.h"
#include "core/tensor.h"

namespace dhyan {

class Gradient;
class Scope;
struct GatheredProducts;

namespace kernels {
class PackedWeight;
struct Bfloat16Matrix;
struct QuantizedRows;
struct PackedPanels;
}  // namespace kernels

// A value in a computation and, in training, what leads back from it. Lives in the step's arena and owns nothing: its
// destructor is not run.
struct Node {
  Tensor value;
  Scope* scope = nullptr;
  bool needs_grad = false;
  bool is_result = false;                            // of an op, in memory of its own in the arena
  Tensor grad;                                       // empty until something is added to it, and once it was passed on
  Node* base = nullptr;                              // of a window: whose storage it is on, in value and in gradient
  Index offset = 0;                                  // of its first element there
  Gradient* sink = nullptr;                          // a parameter's leaf: where its gradient goes in the end
  std::size_t parameter = 0;                         // its number, of such a leaf
  bool in_turn = false;                              // no other tape writes to the sink now; see GradientOrder
  int products = 0;                                  // how often it was the weight of a linear(); see ops/linear.cpp
  Index product_rows = 0;                            // of all of them together
  const kernels::PackedWeight* prepacked = nullptr;  // of a parameter that changes no more
  const kernels::PackedPanels* packed[2] = {nullptr,
                                            nullptr};  // of a weight of several products, as stored and transposed
  GatheredProducts* gathered = nullptr;                // what its gradient will be the product of
  const kernels::QuantizedRows* rounded = nullptr;     // of a value that weights of 8 bits are multiplied with
  const kernels::Bfloat16Matrix* bfloat16 = nullptr;   // numbers of a value without any; see ops/bfloat16_rows.h
};

// Where an op adds a gradient when it can also overwrite: with before == 0 the tensor holds nothing yet, and the op
// writes every element; with before == 1 it adds. Saves filling with zeros what a GEMM is about to write.
struct GradTarget {
  Tensor tensor;
  Real before;
};

// A cheap handle on a Node: copies are the same value. Valid until the arena of its scope is reset.
class Var {
 public:
  Var() = default;  // nothing; optional arguments are tested with operator bool
  explicit Var(Node& node) : node_(&node) {}
  explicit operator bool() const { return node_ != nullptr; }

  const Tensor& value() const { return node_->value; }
  const Shape& shape() const { return node_->value.shape(); }
  Index rows() const { return node_->value.rows(); }
  Index cols() const { return node_->value.cols(); }
  Scope& scope() const { return *node_->scope; }
  Node& node() const { return *node_; }

  // d(loss)/d(this), to be added to (+=); zero before the first use. Only where needs_grad(). That of an op's result
  // is gone once the op's backward has run: gradients of different results share memory.
  bool needs_grad() const { return node_->needs_grad; }
  const Tensor& grad() const;
  GradTarget grad_target() const;

  // Of a result, during its backward: its gradient, which stays until the end of the step.
  Tensor keep_grad() const;

  // The gradient of a result, during its backward, becomes that of this input of the same shape. False, and nothing was
  // done, where this input has one already or shares it with another.
  bool take_grad_of(const Var& result) const;

  // Of a parameter's leaf: the gradients of the model, once it is this tape's turn to add to them. Best asked for when
  // nothing else will be added: see Tape::when_swept.
  Gradient& sink() const;
  GradTarget sink_target() const;

 private:
  Node* node_ = nullptr;
};

}  // namespace dhyan
