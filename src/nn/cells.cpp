#include "nn/cells.h"

#include <algorithm>

#include "core/table.h"
#include "nn/layer_norm.h"
#include "ops/gates.h"
#include "ops/linear.h"
#include "ops/norm.h"
#include "ops/rows.h"

namespace dhyan {

namespace {

Initializer gate_by_gate(Initializer how, Index gates) {
  how.blocks = gates;
  return how;
}

Var zero_rows(Scope& scope, Index n, Index H) {
  return scope.constant(Tensor::zeros_in(scope.arena(), {n, H}));  // [n,H]
}

// x W + b, or norm(x W) by this gain and bias.
Var product(const Var& x, const Parameter& weight, const Parameter* gain, const Parameter& bias) {
  Scope& scope = x.scope();
  const Var W = scope.parameter(weight), b = scope.parameter(bias);
  if (gain == nullptr) return linear(x, W, b);                                    // [.,G H]
  return layer_norm(linear(x, W), scope.parameter(*gain), b, kInnerNormEpsilon);  // [.,G H]
}

template <class T>
std::unique_ptr<Cell> make(ParameterSet& parameters, const std::string& name, const CellSize& size,
                           const CellOptions& options) {
  return std::make_unique<T>(parameters, name, size, options);
}

constexpr CellEntry kCells[] = {
    {"rnn", "elman1990", false, make<RnnCell>},
    {"gru", "cho2014", false, make<GruCell>},
    {"lstm", "hochreiter1997", true, make<LstmCell>},
};

}  // namespace

Cell::Cell(ParameterSet& parameters, const std::string& name, const CellSize& size, Index gates,
           const CellOptions& options)
    : hidden_(size.hidden),
      gates_(gates),
      W_(size.in == 0 ? nullptr
                      : add_weight(parameters, name + ".W", {size.in, gates * size.hidden},
                                   gate_by_gate(options.input, gates), options.rng)),
      b_(&parameters.add(name + ".b", {gates * size.hidden})),
      U_(add_weight(parameters, name + ".U", {size.hidden, gates * size.hidden}, gate_by_gate(options.recurrent, gates),
                    options.rng)),
      c_(&parameters.add(name + ".c", {gates * size.hidden})) {
  if (!options.norm) return;
  const Initializer one{.name = "constant", .number = 1};
  const Shape shape{gates * size.hidden};
  if (W_ != nullptr) gain_of_x_ = add_parameter(parameters, name + ".W.gain", shape, one, options.rng);
  gain_of_h_ = add_parameter(parameters, name + ".U.gain", shape, one, options.rng);
}

Var Cell::project(const Var& x) const {
  if (W_ == nullptr) throw UsageError("Cell::project: the cell reads its state alone");
  return product(x, *W_, gain_of_x_, *b_);  // [.,G H]
}

Var Cell::project_nothing(Scope& scope, Index n) const {
  const Var b = scope.parameter(*b_);                                       // [G H]
  return repeat_rows(reshape(b, {1, b.value().size()}), Segments::one(n));  // [n,G H]
}

Var Cell::recur(const Var& h) const { return product(h, *U_, gain_of_h_, *c_); }  // [n,G H]

State Cell::zeros(Scope& scope, Index n) const { return {zero_rows(scope, n, hidden_)}; }

RnnCell::RnnCell(ParameterSet& parameters, const std::string& name, const CellSize& size, const CellOptions& options)
    : Cell(parameters, name, size, 1, options) {}

State RnnCell::step(const Var& from_x, const State& before) const {
  return {rnn_gates(from_x, recur(before.h))};  // [n,H]
}

GruCell::GruCell(ParameterSet& parameters, const std::string& name, const CellSize& size, const CellOptions& options)
    : Cell(parameters, name, size, 3, options) {}

State GruCell::step(const Var& from_x, const State& before) const {
  return {gru_gates(from_x, recur(before.h), before.h)};  // [n,H]
}

LstmCell::LstmCell(ParameterSet& parameters, const std::string& name, const CellSize& size, const CellOptions& options)
    : Cell(parameters, name, size, 4, options) {
  const Index H = size.hidden;
  const std::span<Real> b = parameters.find(name + ".b")->value.span();  // [4H], gates i, f, g, o
  std::fill_n(b.begin() + H, H, Real{1});
}

State LstmCell::step(const Var& from_x, const State& before) const {
  if (!before.c) throw UsageError("LstmCell::step: the state has no memory c; begin with zeros()");
  const Var from_h = recur(before.h);                  // [n,4H]
  const Var c = lstm_state(from_x, from_h, before.c);  // [n,H]
  return {lstm_output(from_x, from_h, c), c};          // [n,H]
}

State LstmCell::zeros(Scope& scope, Index n) const {
  return {zero_rows(scope, n, hidden()), zero_rows(scope, n, hidden())};  // [n,H]
}

std::span<const CellEntry> cells() { return kCells; }

std::unique_ptr<Cell> make_cell(std::string_view kind, ParameterSet& parameters, const std::string& name,
                                const CellSize& size, const CellOptions& options) {
  return entry_named("cell", cells(), kind).make(parameters, name, size, options);
}

}  // namespace dhyan
