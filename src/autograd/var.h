#pragma once

#include "core/arena.h"
#include "core/tensor.h"

namespace dhyan {

class Frame;
class Gradient;
class Scope;
struct OpCache;
struct Parameter;

// A value in a computation and, in training, its backward pass. The step's arena owns its memory; its destructor
// never runs.
struct Node {
  Tensor value;
  Scope* scope = nullptr;
  Index depth = 0;  // longest chain of ops that lead here, each of which needs the result of the one before
  bool needs_grad = false;
  bool is_result = false;                // of an op, and its value is its own memory in the arena
  Frame* frame = nullptr;                // of a result without a tape: the frame that frees it
  Node* next_in_frame = nullptr;         // the result before it in the same frame
  Tensor grad;                           // empty before the first addition and after it was passed on
  Node* base = nullptr;                  // of a window: the node whose value and gradient it shares
  Index offset = 0;                      // of a window: of its first element in the base
  Gradient* sink = nullptr;              // of a parameter's leaf: where its gradient is added
  const Parameter* parameter = nullptr;  // of a parameter's leaf: the parameter
  bool in_turn = false;                  // no other tape writes to the sink now; see GradientOrder
  OpCache* cache = nullptr;              // what ops derived from the value; they define its type
};

// Where an op writes a gradient as a GEMM with this beta does: with 0 the tensor is uninitialised and the op overwrites
// every element, with 1 the op adds. Saves filling the tensor with zeros first.
struct GradTarget {
  Tensor tensor;
  Real beta;
};

// A cheap handle on a Node: copies are the same value. Valid until the arena of its scope is reset.
class Var {
 public:
  Var() = default;  // null; optional arguments are tested with operator bool
  explicit Var(Node& node) : node_(&node) {}
  explicit operator bool() const { return node_ != nullptr; }

  const Tensor& value() const { return node_->value; }
  const Shape& shape() const { return node_->value.shape(); }
  Index rows() const { return node_->value.rows(); }
  Index cols() const { return node_->value.cols(); }
  Scope& scope() const { return *node_->scope; }
  Node& node() const { return *node_; }

  // d(loss)/d(this), to be added to (+=); zero before the first use. UsageError unless needs_grad(). The gradient of an
  // op's result is freed once the op's backward has run.
  bool needs_grad() const { return node_->needs_grad; }
  const Tensor& grad() const;
  GradTarget grad_target() const;

  // During backward of this result: its gradient, which then stays until the end of the step.
  Tensor keep_grad() const;

  // During backward of `result`, moves its gradient to this input of the same shape. False, and nothing is done, if
  // this input has a gradient already or shares it with another node.
  bool take_grad_of(const Var& result) const;

  // For the leaf of a parameter: the gradient of the model. Waits until it is this tape's turn to add to it, so call it
  // late: see Tape::when_swept.
  Gradient& sink() const;
  GradTarget sink_target() const;

 private:
  Node* node_ = nullptr;
};

}  // namespace dhyan
