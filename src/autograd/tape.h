#pragma once

#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "autograd/parameter.h"
#include "autograd/var.h"
#include "core/function_ref.h"
#include "core/precision.h"
#include "core/rng.h"

namespace dhyan {

class IntraOpThreads;

// Orders tapes that add to one set of gradients: for each parameter, the tapes take fixed turns. One object per tape.
class GradientOrder {
 public:
  virtual ~GradientOrder() = default;
  virtual void wait(std::size_t parameter) = 0;  // until it is this tape's turn to write
  virtual void pass(std::size_t parameter) = 0;  // the turn, after wait()
};

// The record of one forward computation, and the way back through it. One per thread; reused from step to step.
class Tape {
 public:
  // `precision`: of the operands of GEMMs with weights, forward and backward.
  explicit Tape(const ParameterSet& parameters, Precision precision = Precision::kFull)
      : leaves_(parameters.count(), nullptr), precision_(precision) {}
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Forgets the last step. backward() adds gradients of parameters to `sink`, in the given order if other tapes do so
  // at the same time; dropout draws from `noise`.
  void start(GradientSet& sink, const Rng& noise, GradientOrder* order = nullptr);

  // Runs backward from y to every leaf; d(y)/d(y) is 1, or `seed`. Once per start().
  void backward(const Var& y);                      // y has one element
  void backward(const Var& y, const Tensor& seed);  // seed has the shape of y

  // A separate random stream for each call, in the order of calls.
  Rng next_noise() { return noise_.split(noise_streams_++); }

  // `f()` runs during backward, after everything recorded later than now has run. f lives in the arena.
  template <class F>
  void record(Arena& arena, Node* output, F f) {
    entries_.push_back({output, arena.make<F>(std::move(f))});
  }

  // `f()` runs as soon as everything that uses this leaf of a parameter has run. Called during backward.
  template <class F>
  void when_swept(Arena& arena, const Var& leaf, F f) {
    swept_.push_back({&leaf.node(), arena.make<F>(std::move(f))});
  }

 private:
  friend class Scope;
  friend class Var;
  struct Entry {
    Node* output;             // skipped if no gradient has reached it
    FunctionRef<void()> run;  // in the arena
  };

  struct OpenLeaf {
    Node* leaf;
    std::size_t since;  // entries that were recorded before its first use
  };

  void sweep();
  void close(Node& leaf);
  void close_leaves_since(std::size_t recorded);

  std::vector<Entry> entries_;
  std::vector<Entry> swept_;    // closures that wait for a leaf
  std::vector<OpenLeaf> open_;  // in the order of first use
  std::vector<Node*> leaves_;   // per parameter, once it is used
  GradientSet* sink_ = nullptr;
  GradientOrder* order_ = nullptr;
  Precision precision_;
  Rng noise_{0};
  std::uint64_t noise_streams_ = 0;
};

// Where a computation takes place: its memory and, in training, its tape. Without a tape nothing is recorded, no
// gradient is kept and dropout does nothing. Every Var knows its scope, so ops need no further argument.
class Scope {
 public:
  explicit Scope(Arena& arena, IntraOpThreads* intra_op = nullptr, Precision precision = Precision::kFull)  // inference
      : arena_(&arena), intra_op_(intra_op), precision_(precision) {}
  Scope(Arena& arena, Tape& tape) : arena_(&arena), tape_(&tape), precision_(tape.precision_) {}  // training
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  Arena& arena() const { return *arena_; }
  Tape* tape() const { return tape_; }
  IntraOpThreads* intra_op() const { return intra_op_; }  // for large GEMMs; may be null
  bool recording() const { return tape_ != nullptr; }
  Precision precision() const { return precision_; }  // of GEMMs with weights
  Frame* frame() const { return frame_; }             // the innermost one; may be none

  Tensor tensor(const Shape& shape) const { return Tensor::in(*arena_, shape); }  // uninitialised
  Var constant(const Tensor& value);                                              // no gradient
  Var variable(const Tensor& value);          // a leaf whose grad() can be read after backward
  Var parameter(const Parameter& parameter);  // the same Var for every use within a step; must outlive it

 private:
  friend class Frame;

  Arena* arena_;
  Tape* tape_ = nullptr;
  Frame* frame_ = nullptr;
  IntraOpThreads* intra_op_ = nullptr;
  Precision precision_;
};

// The result of an op. `backward(y)` adds to the gradients of those inputs that need one; the tape keeps it only if the
// scope records and an input needs a gradient. Inputs must be of one scope.
Var make_result(const Tensor& value, std::span<const Var> inputs);

template <class Backward>
Var record(const Tensor& value, std::span<const Var> inputs, Backward backward) {
  const Var y = make_result(value, inputs);
  if (y.needs_grad()) {
    y.scope().tape()->record(y.scope().arena(), &y.node(), [y, backward = std::move(backward)] { backward(y); });
  }
  return y;
}

template <class Backward>
Var record(const Tensor& value, std::initializer_list<Var> inputs, Backward backward) {
  return record(value, std::span<const Var>(inputs.begin(), inputs.size()), std::move(backward));
}

// The lifetime of temporaries in inference. When a frame ends, the arena reuses the memory of every result that was
// made in its scope since it began, except of those that were kept; these belong to the frame around it, or, where
// there is none, live until the arena is reset. With a tape a frame does nothing: backward reads all results.
//
//   Frame frame(x.scope());
//   const Var hidden = relu(in_(x));  // [.,F]  ends with the frame
//   return frame.keep(out_(hidden));  // [.,H]
class Frame {
 public:
  explicit Frame(Scope& scope) : scope_(scope), outer_(scope.frame_) { scope.frame_ = this; }
  ~Frame();
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  Var keep(const Var& x);  // x itself; it may be nothing. Of a window, the storage it is on is kept.

 private:
  friend Var make_result(const Tensor& value, std::span<const Var> inputs);

  void add(Node& node);

  Scope& scope_;
  Frame* outer_;
  Node* newest_ = nullptr;  // of the results that were made in it, or kept by a frame inside it
};

// x lives until the arena is reset, whatever frames it was made in. It may be nothing.
void keep_until_reset(const Var& x);

// Ends a result before its frame does, if it has one. With a tape nothing happens; neither does it to a constant, a
// parameter or a window.
void release(const Var& x);

// A result that is a window on its input's storage: they share value and gradient. `window` is a contiguous part of the
// input's value.
Var alias(const Var& input, const Tensor& window);

}  // namespace dhyan
