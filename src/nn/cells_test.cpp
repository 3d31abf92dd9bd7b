#include "nn/cells.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"
#include "ops/rows.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

TEST(Cells, AreInATableWithAReferenceEach) {
  for (const CellEntry& entry : cells()) {
    EXPECT_FALSE(entry.reference.empty()) << entry.name;
    ParameterSet parameters;
    const auto cell = entry.make(parameters, "encoder.0.forward", {.in = 3, .hidden = 2}, {});
    EXPECT_NE(parameters.find("encoder.0.forward.U"), nullptr) << entry.name;
    EXPECT_EQ(parameters.count(), 4u) << entry.name;
    EXPECT_EQ(parameters.find("encoder.0.forward.U")->value.cols(), cell->gates() * cell->hidden()) << entry.name;
    Arena arena;
    Scope scope(arena);
    EXPECT_EQ(static_cast<bool>(cell->zeros(scope, 1).c), entry.has_memory) << entry.name;
  }
}

// x W + b = 1·2 - 1 = 1,  h U + c = 0.5·3 + 0.25 = 1.75
TEST(Cells, RnnMatchesHandValues) {
  ParameterSet parameters;
  const RnnCell cell(parameters, "rnn", {.in = 1, .hidden = 1});
  parameters.find("rnn.W")->value.fill(2);
  parameters.find("rnn.b")->value.fill(-1);
  parameters.find("rnn.U")->value.fill(3);
  parameters.find("rnn.c")->value.fill(0.25);
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({1, 1}, {1})), h = scope.constant(Tensor::of({1, 1}, {0.5}));
  EXPECT_NEAR(cell.step(cell.project(x), {h}).h.value().item(), std::tanh(2.75), 1e-6);
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST(Cells, GruMatchesHandValues) {
  ParameterSet parameters;
  const GruCell cell(parameters, "gru", {.in = 1, .hidden = 1});
  parameters.find("gru.W")->value = Tensor::of({1, 3}, {1, 2, 3});
  parameters.find("gru.b")->value = Tensor::of({3}, {0.1, 0.2, 0.3});
  parameters.find("gru.U")->value = Tensor::of({1, 3}, {-1, -2, -3});
  parameters.find("gru.c")->value = Tensor::of({3}, {0.4, 0.5, 0.6});
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({1, 1}, {0.5})), h = scope.constant(Tensor::of({1, 1}, {0.25}));
  const double r = sigmoid(0.5 + 0.1 - 0.25 + 0.4), z = sigmoid(1 + 0.2 - 0.5 + 0.5);
  const double n = std::tanh(1.5 + 0.3 + r * (-0.75 + 0.6));
  EXPECT_NEAR(cell.step(cell.project(x), {h}).h.value().item(), (1 - z) * n + z * 0.25, 1e-6);
}

TEST(Cells, LstmBeginsByKeepingItsMemory) {
  ParameterSet parameters;
  const LstmCell cell(parameters, "lstm", {.in = 1, .hidden = 2});
  const std::span<const Real> b = parameters.find("lstm.b")->value.span();
  EXPECT_EQ(std::vector<Real>(b.begin(), b.end()), (std::vector<Real>{0, 0, 1, 1, 0, 0, 0, 0}));
}

TEST(Cells, LstmMatchesHandValues) {
  ParameterSet parameters;
  const LstmCell cell(parameters, "lstm", {.in = 1, .hidden = 1});
  parameters.find("lstm.W")->value = Tensor::of({1, 4}, {1, 2, 3, 4});
  parameters.find("lstm.b")->value = Tensor::of({4}, {0.1, 0.2, 0.3, 0.4});
  parameters.find("lstm.U")->value = Tensor::of({1, 4}, {-1, -2, -3, -4});
  parameters.find("lstm.c")->value = Tensor::of({4}, {0.5, 0.6, 0.7, 0.8});
  Arena arena;
  Scope scope(arena);
  const auto number = [&](Real x) { return scope.constant(Tensor::of({1, 1}, {x})); };
  const double i = sigmoid(0.5 + 0.1 - 0.25 + 0.5), f = sigmoid(1 + 0.2 - 0.5 + 0.6);
  const double g = std::tanh(1.5 + 0.3 - 0.75 + 0.7), o = sigmoid(2 + 0.4 - 1 + 0.8);
  const State after = cell.step(cell.project(number(0.5)), {number(0.25), number(-2)});
  EXPECT_NEAR(after.c.value().item(), f * -2 + i * g, 1e-6);
  EXPECT_NEAR(after.h.value().item(), o * std::tanh(f * -2 + i * g), 1e-6);
}

TEST(Cells, HaveTheRightJacobianOverTwoSteps) {
  for (const CellEntry& entry : cells()) {
    ParameterSet parameters;
    const auto cell = entry.make(parameters, "cell", {.in = 3, .hidden = 2}, {});
    randomise(parameters, 7);
    Rng rng(8);
    const Tensor x = random_tensor(rng, {4, 3}), h = random_tensor(rng, {2, 2}), c = random_tensor(rng, {2, 2});
    const auto two_steps = [&](Scope&, const Inputs& in) {
      const Var from_x = cell->project(in[0]);  // [4,G H]
      const State start{in[1], entry.has_memory ? in[2] : Var()};
      const State half = cell->step(slice_rows(from_x, 0, 2), start);  // [2,H]
      const State end = cell->step(slice_rows(from_x, 2, 4), half);    // [2,H]
      return entry.has_memory ? concat_cols({end.h, end.c}) : end.h;
    };
    EXPECT_EQ(module_jacobian_mismatch(parameters, {x, h, c}, two_steps), "") << entry.name;
  }
}

TEST(Cells, HaveTheRightJacobianWithLayerNormsAndWithoutAnInput) {
  for (const CellEntry& entry : cells()) {
    for (const Index in : {3, 0}) {
      ParameterSet parameters;
      const auto cell = entry.make(parameters, "cell", {.in = in, .hidden = 4}, {.norm = true});
      EXPECT_EQ(parameters.find("cell.W.gain") != nullptr, in > 0);
      randomise(parameters, 7);
      Rng rng(8);
      const Tensor x = random_tensor(rng, {2, 3}), h = random_tensor(rng, {2, 4}), c = random_tensor(rng, {2, 4});
      const auto step = [&](Scope& scope, const Inputs& inputs) {
        const Var from_x = in > 0 ? cell->project(inputs[0]) : cell->project_nothing(scope, 2);   // [2,G H]
        const State end = cell->step(from_x, {inputs[1], entry.has_memory ? inputs[2] : Var()});  // [2,H]
        return entry.has_memory ? concat_cols({end.h, end.c}) : end.h;
      };
      EXPECT_EQ(module_jacobian_mismatch(parameters, {x, h, c}, step), "") << entry.name;
    }
  }
}

TEST(Cells, NormaliseTheProductsAndNotTheBiases) {
  ParameterSet parameters;
  const RnnCell cell(parameters, "rnn", {.in = 1, .hidden = 2}, {.norm = true});
  for (const char* name : {"rnn.W", "rnn.U"}) {
    const Tensor& weight = parameters.find(name)->value;
    for (Index j = 0; j < 2; ++j) {
      for (Index i = 0; i < weight.rows(); ++i) weight.row(i)[static_cast<std::size_t>(j)] = static_cast<Real>(j);
    }
  }
  parameters.find("rnn.b")->value.fill(Real(0.5));
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({1, 1}, {7})), h = scope.constant(Tensor::of({1, 2}, {2, 1}));
  const State after = cell.step(cell.project(x), {h});  // of -1 + 0.5 - 1 and 1 + 0.5 + 1
  EXPECT_NEAR(after.h.value().data()[0], std::tanh(-1.5), 1e-5);
  EXPECT_NEAR(after.h.value().data()[1], std::tanh(2.5), 1e-5);
}

TEST(Cells, WithoutAnInputRefuseOne) {
  ParameterSet parameters;
  const GruCell cell(parameters, "gru", {.hidden = 2});
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(thrown<UsageError>([&] {
              cell.project(scope.constant(Tensor::zeros({1, 2})));
            }),
            "Cell::project: the cell reads its state alone");
}

TEST(Cells, TakeNoSentencesAtAll) {
  for (const CellEntry& entry : cells()) {
    ParameterSet parameters;
    const auto cell = entry.make(parameters, "cell", {.in = 3, .hidden = 2}, {});
    Arena arena;
    Scope scope(arena);
    const State after = cell->step(cell->project(scope.constant(Tensor::zeros({0, 3}))), cell->zeros(scope, 0));
    EXPECT_EQ(after.h.shape(), (Shape{0, 2})) << entry.name;
  }
}

TEST(Cells, RefuseUnknownNamesAndStatesWithoutMemory) {
  ParameterSet parameters;
  EXPECT_EQ(thrown<ConfigError>([&] { make_cell("gruu", parameters, "x", {}); }),
            "cell: 'gruu' is none of rnn, gru, lstm");
  const LstmCell cell(parameters, "lstm", {.in = 3, .hidden = 2});
  Arena arena;
  Scope scope(arena);
  const Var from_x = cell.project(scope.constant(Tensor::zeros({1, 3})));
  EXPECT_EQ(thrown<UsageError>([&] {
              cell.step(from_x, {scope.constant(Tensor::zeros({1, 2}))});
            }),
            "LstmCell::step: the state has no memory c; begin with zeros()");
  EXPECT_EQ(thrown<ShapeError>([&] { cell.step(from_x, cell.zeros(scope, 2)); }),
            "lstm_state: from_x is [1,8], expected [2,8]");
  EXPECT_EQ(thrown<ShapeError>([&] {
              cell.project(scope.constant(Tensor::zeros({1, 2})));
            }),
            "linear: inner dimensions differ: x is [1,2], weight is [3,8]");
}

}  // namespace
}  // namespace dhyan
