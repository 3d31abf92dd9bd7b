#include "autograd/tape.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

namespace {

void expect_gradient(const Node& node) {
  if (!node.needs_grad) throw UsageError("Var::grad: this value has no gradient: it is a constant, or has no tape");
}

Tensor window_of(const Node& node, const Tensor& grad_of_base) {
  return Tensor::view(node.value.shape(), grad_of_base.data() + node.offset);
}

void release_grad(Node& node) {
  if (!node.grad.empty()) {
    node.scope->arena().release(node.grad.data(), static_cast<std::size_t>(node.grad.size()) * sizeof(Real));
  }
  node.grad = Tensor();
}

Node& storage_of(const Var& x) {
  Node* node = &x.node();
  while (node->base != nullptr) node = node->base;
  return *node;
}

}  // namespace

const Tensor& Var::grad() const {
  expect_gradient(*node_);
  if (!node_->grad.empty()) return node_->grad;
  node_->grad = node_->base != nullptr ? window_of(*node_, Var(*node_->base).grad())
                                       : Tensor::zeros_in(node_->scope->arena(), node_->value.shape());
  return node_->grad;
}

GradTarget Var::grad_target() const {
  expect_gradient(*node_);
  if (node_->base != nullptr) return {grad(), 1};
  const Real beta = node_->grad.empty() ? 0 : 1;
  if (beta == 0) node_->grad = node_->scope->tensor(node_->value.shape());
  return {node_->grad, beta};
}

Tensor Var::keep_grad() const { return std::exchange(node_->grad, Tensor()); }

bool Var::take_grad_of(const Var& result) const {
  expect_gradient(*node_);
  if (node_->base != nullptr || !node_->grad.empty()) return false;
  node_->grad = result.keep_grad();
  return true;
}

GradTarget Var::sink_target() const {
  Gradient& gradient = sink();
  if (gradient.untouched()) return {gradient.touch_to_overwrite(), 0};
  return {gradient.touch_all(), 1};
}

Gradient& Var::sink() const {
  Node& leaf = *node_;
  GradientOrder* order = leaf.scope->tape()->order_;
  if (order != nullptr && !leaf.in_turn) order->wait(leaf.parameter->index);
  leaf.in_turn = true;
  return *leaf.sink;
}

void Tape::start(GradientSet& sink, const Rng& noise, GradientOrder* order) {
  if (sink.size() != leaves_.size()) {
    throw UsageError(cat("Tape::start: ", sink.size(), " gradients for ", leaves_.size(), " parameters"));
  }
  entries_.clear();
  swept_.clear();
  open_.clear();
  leaves_.assign(leaves_.size(), nullptr);
  sink_ = &sink;
  order_ = order;
  noise_ = noise;
  noise_streams_ = 0;
}

void Tape::backward(const Var& y) {
  if (y.value().size() != 1) throw ShapeError(cat("backward: y is ", y.shape(), ", expected one element or a seed"));
  y.grad().data()[0] += 1;
  sweep();
}

void Tape::backward(const Var& y, const Tensor& seed) {
  expect_shape("backward", "seed", seed.shape(), y.shape());
  const std::span<Real> grad = y.grad().span();
  for (std::size_t i = 0; i < grad.size(); ++i) grad[i] += seed.span()[i];
  sweep();
}

void Tape::sweep() {
  while (!entries_.empty()) {
    const Entry entry = entries_.back();
    entries_.pop_back();
    if (!entry.output->grad.empty()) {
      entry.run();
      release_grad(*entry.output);
    }
    close_leaves_since(entries_.size());
  }
  close_leaves_since(0);
}

// Entries that are left were recorded before these leaves were first used, so they cannot use them.
void Tape::close_leaves_since(std::size_t recorded) {
  while (!open_.empty() && open_.back().since >= recorded) {
    close(*open_.back().leaf);
    open_.pop_back();
  }
}

void Tape::close(Node& leaf) {
  for (std::size_t i = 0; i < swept_.size();) {
    if (swept_[i].output != &leaf) {
      ++i;
      continue;
    }
    const Entry entry = swept_[i];
    swept_.erase(swept_.begin() + static_cast<std::ptrdiff_t>(i));
    entry.run();
  }
  if (!leaf.grad.empty()) {
    const std::span<Real> sum = Var(leaf).sink().touch_all().span();
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += leaf.grad.span()[i];
    release_grad(leaf);
  }
  if (leaf.in_turn && order_ != nullptr) order_->pass(leaf.parameter->index);
}

// Nodes own nothing, so their destructors need not run: the arena keeps the owner of a value that is owned.
Var Scope::constant(const Tensor& value) {
  if (value.owned()) arena_->make<Tensor>(value);
  Node& node = arena_->make_without_destructor<Node>();
  node.value = value.borrowed();
  node.scope = this;
  return Var(node);
}

Var Scope::variable(const Tensor& value) {
  const Var leaf = constant(value);
  leaf.node().needs_grad = recording();
  return leaf;
}

Var Scope::parameter(const Parameter& parameter) {
  if (!recording()) {
    const Var weight = constant(parameter.value.borrowed());
    weight.node().parameter = &parameter;
    return weight;
  }
  if (parameter.value.dtype() != Dtype::kReal) {
    throw UsageError(cat("Scope::parameter: '", parameter.name, "' has ", name_of(parameter.value.dtype()),
                         " values, which cannot be trained"));
  }
  Node*& leaf = tape_->leaves_.at(parameter.index);
  if (leaf == nullptr) {
    if (tape_->sink_ == nullptr) throw UsageError("Scope::parameter: the tape was not started");
    const Tensor value = parameter.value.borrowed();
    leaf = &(parameter.frozen ? constant(value) : variable(value)).node();
    if (!parameter.frozen) {
      leaf->sink = &(*tape_->sink_)[parameter];
      leaf->parameter = &parameter;
      tape_->open_.push_back({leaf, tape_->entries_.size()});
    }
  }
  return Var(*leaf);
}

Var make_result(const Tensor& value, std::span<const Var> inputs) {
  if (inputs.empty()) throw UsageError("record: an op without inputs has no scope; use Scope::constant");
  Scope& scope = inputs.front().scope();
  bool needs_grad = false;
  Index depth = 0;
  for (const Var& input : inputs) {
    if (&input.scope() != &scope) throw UsageError("record: the inputs of an op are of different scopes");
    needs_grad = needs_grad || input.needs_grad();
    depth = std::max(depth, input.node().depth);
  }
  const Var y = scope.constant(value);
  y.node().depth = depth + 1;
  y.node().needs_grad = needs_grad;
  y.node().is_result = true;
  if (scope.frame() != nullptr && !scope.recording()) scope.frame()->add(y.node());
  return y;
}

void Frame::add(Node& node) {
  node.frame = this;
  node.next_in_frame = newest_;
  newest_ = &node;
}

Var Frame::keep(const Var& x) {
  if (!x) return x;
  Node& node = storage_of(x);
  if (node.frame == this) node.frame = outer_;
  return x;
}

// The arena's list of free memory may have to grow; if it cannot, the rest lives until reset().
Frame::~Frame() {
  scope_.frame_ = outer_;
  try {
    for (Node *node = newest_, *next = nullptr; node != nullptr; node = next) {
      next = node->next_in_frame;
      if (node->frame == this) {
        release(Var(*node));
      } else if (node->frame != nullptr) {
        outer_->add(*node);
      }
    }
  } catch (const std::bad_alloc&) {
  }
}

void keep_until_reset(const Var& x) {
  if (x) storage_of(x).frame = nullptr;
}

void release(const Var& x) {
  Node& node = x.node();
  if (node.scope->recording() || !node.is_result) return;
  node.scope->arena().release(node.value.storage(), node.value.bytes());
  node.value = Tensor();
  node.is_result = false;
}

Var alias(const Var& input, const Tensor& window) {
  const Var y = make_result(window, std::span(&input, 1));
  y.node().is_result = false;
  y.node().depth = input.node().depth;  // a window computes nothing
  y.node().base = &input.node();
  y.node().offset = y.value().data() - input.value().data();
  return y;
}

}  // namespace dhyan
