#include "autograd/tape.h"

#include "core/error.h"

namespace dhyan {

namespace {

void expect_gradient(const Node& node) {
  if (!node.needs_grad) throw UsageError("Var::grad: this value has no gradient: it is a constant, or has no tape");
}

}  // namespace

const Tensor& Var::grad() const {
  expect_gradient(*node_);
  if (node_->sink != nullptr) return node_->sink->touch_all();
  if (node_->grad.empty()) node_->grad = Tensor::zeros_in(node_->scope->arena(), node_->value.shape());
  return node_->grad;
}

GradTarget Var::grad_target() const {
  expect_gradient(*node_);
  if (node_->sink != nullptr) {
    const Real before = node_->sink->untouched() ? 0 : 1;
    return {node_->sink->touch_all(), before};
  }
  const Real before = node_->grad.empty() ? 0 : 1;
  if (before == 0) node_->grad = node_->scope->tensor(node_->value.shape());
  return {node_->grad, before};
}

void Tape::start(GradientSet& sink, const Rng& noise) {
  if (sink.size() != leaves_.size()) {
    throw UsageError(cat("Tape::start: ", sink.size(), " gradients for ", leaves_.size(), " parameters"));
  }
  entries_.clear();
  last_.clear();
  leaves_.assign(leaves_.size(), nullptr);
  sink_ = &sink;
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
    if (!entry.output->grad.empty()) entry.run(entry.closure);
  }
  for (const Entry& entry : last_) entry.run(entry.closure);
  last_.clear();
}

Var Scope::constant(Tensor value) {
  Node& node = arena_->make<Node>();
  node.value = std::move(value);
  node.scope = this;
  return Var(node);
}

Var Scope::variable(Tensor value) {
  const Var leaf = constant(std::move(value));
  leaf.node().needs_grad = recording();
  return leaf;
}

Var Scope::parameter(const Parameter& parameter) {
  if (!recording()) {
    const Var weight = constant(parameter.value);
    weight.node().settled = parameter.settled.get();
    return weight;
  }
  if (parameter.value.empty())
    throw UsageError(cat("Scope::parameter: '", parameter.name, "' has no numbers to train"));
  Node*& leaf = tape_->leaves_.at(parameter.index);
  if (leaf == nullptr) {
    if (tape_->sink_ == nullptr) throw UsageError("Scope::parameter: the tape was not started");
    leaf = &(parameter.frozen ? constant(parameter.value) : variable(parameter.value)).node();
    if (!parameter.frozen) leaf->sink = &(*tape_->sink_)[parameter];
  }
  return Var(*leaf);
}

Var make_result(Tensor value, std::span<const Var> inputs) {
  if (inputs.empty()) throw UsageError("record: an op without inputs has no scope; use Scope::constant");
  Scope& scope = inputs.front().scope();
  bool needs_grad = false;
  for (const Var& input : inputs) {
    if (&input.scope() != &scope) throw UsageError("record: the inputs of an op are of different scopes");
    needs_grad = needs_grad || input.needs_grad();
  }
  const Var y = scope.constant(std::move(value));
  y.node().needs_grad = needs_grad;
  return y;
}

}  // namespace dhyan
