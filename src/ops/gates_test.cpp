#include "ops/gates.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

Real log_of(double x) { return static_cast<Real>(std::log(x)); }

TEST(RnnGates, MatchesHandValues) {
  Arena arena;
  Scope scope(arena);
  const Var h = rnn_gates(scope.constant(Tensor::of({2, 2}, {1, -1, 0.5, 0})),
                          scope.constant(Tensor::of({2, 2}, {-1, -1, 0.5, 0})));  // [2,2]
  const double expected[] = {0, -0.9640275800758169, 0.7615941559557649, 0};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(h.value().data()[i], expected[i], 1e-6);
}

TEST(GruGates, MatchesHandValues) {
  Arena arena;
  Scope scope(arena);
  // sigmoid(log 3) = 3/4 and tanh(log 3 / 2) = 1/2. r = 3/4, z = 1/4, x_n + r u_n = log 3 / 2, n = 1/2.
  const Var from_x = scope.constant(Tensor::of({1, 3}, {log_of(3), 0, log_of(3) / 2 - Real{0.75}}));  // [1,3H]
  const Var from_h = scope.constant(Tensor::of({1, 3}, {0, -log_of(3), 1}));                          // [1,3H]
  const Var h_prev = scope.constant(Tensor::of({1, 1}, {-2}));                                        // [1,H]
  EXPECT_NEAR(gru_gates(from_x, from_h, h_prev).value().item(), 0.75 * 0.5 - 0.25 * 2, 1e-6);
}

TEST(LstmGates, MatchHandValues) {
  Arena arena;
  Scope scope(arena);
  // i = 3/4, f = 1/4, g = 1/2, o = 3/4; c = c_prev / 4 + 3/8.
  const Var from_x = scope.constant(Tensor::of({1, 4}, {0, -log_of(3), log_of(3), log_of(9)}));       // [1,4H]
  const Var from_h = scope.constant(Tensor::of({1, 4}, {log_of(3), 0, -log_of(3) / 2, -log_of(3)}));  // [1,4H]
  const Var c = lstm_state(from_x, from_h, scope.constant(Tensor::of({1, 1}, {2})));                  // [1,H]
  EXPECT_NEAR(c.value().item(), 0.875, 1e-6);
  EXPECT_NEAR(lstm_output(from_x, from_h, c).value().item(), 0.75 * std::tanh(0.875), 1e-6);
}

TEST(RnnGates, HasTheRightJacobian) {
  Rng rng(1);
  const auto f = [](Scope&, const Inputs& in) { return rnn_gates(in[0], in[1]); };
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {3, 5}), random_tensor(rng, {3, 5})}), "");
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {1, 1}), random_tensor(rng, {1, 1})}), "");
}

TEST(GruGates, HasTheRightJacobian) {
  Rng rng(2);
  const auto f = [](Scope&, const Inputs& in) { return gru_gates(in[0], in[1], in[2]); };
  EXPECT_EQ(
      jacobian_mismatch(f, {random_tensor(rng, {2, 15}), random_tensor(rng, {2, 15}), random_tensor(rng, {2, 5})}), "");
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {1, 3}), random_tensor(rng, {1, 3}), random_tensor(rng, {1, 1})}),
            "");
}

TEST(LstmGates, HaveTheRightJacobian) {
  Rng rng(3);
  const auto step = [](Scope&, const Inputs& in) { return lstm_output(in[0], in[1], lstm_state(in[0], in[1], in[2])); };
  const auto state = [](Scope&, const Inputs& in) { return lstm_state(in[0], in[1], in[2]); };
  const auto output = [](Scope&, const Inputs& in) { return lstm_output(in[0], in[1], in[2]); };
  const std::vector<Tensor> at{random_tensor(rng, {2, 20}), random_tensor(rng, {2, 20}), random_tensor(rng, {2, 5})};
  EXPECT_EQ(jacobian_mismatch(state, at), "");
  EXPECT_EQ(jacobian_mismatch(output, at), "");
  EXPECT_EQ(jacobian_mismatch(step, at), "");
  EXPECT_EQ(
      jacobian_mismatch(step, {random_tensor(rng, {1, 4}), random_tensor(rng, {1, 4}), random_tensor(rng, {1, 1})}),
      "");
}

TEST(Gates, AddToTheGradientOfAnInputThatIsUsedTwice) {
  Rng rng(4);
  const Tensor wide = random_tensor(rng, {2, 12}), state = random_tensor(rng, {2, 4}), x = random_tensor(rng, {2, 4});
  EXPECT_EQ(jacobian_mismatch([](Scope&, const Inputs& in) { return rnn_gates(in[0], in[0]); }, {x}), "");
  EXPECT_EQ(jacobian_mismatch([](Scope&, const Inputs& in) { return gru_gates(in[0], in[0], in[1]); }, {wide, state}),
            "");
  const auto lstm = [](Scope&, const Inputs& in) { return lstm_output(in[0], in[0], lstm_state(in[0], in[0], in[1])); };
  EXPECT_EQ(jacobian_mismatch(lstm, {wide, random_tensor(rng, {2, 3})}), "");
}

TEST(Gates, SkipGradientsOfConstants) {
  Rng rng(5);
  const Tensor wide = random_tensor(rng, {2, 12}), state = random_tensor(rng, {2, 4}),
               small = random_tensor(rng, {2, 3});
  const auto one_of = [](std::size_t place, const std::vector<Tensor>& at, const DifferentiableFunction& f) {
    return jacobian_mismatch(
        [&](Scope& scope, const Inputs& in) {
          Inputs all;
          for (const Tensor& value : at) all.push_back(scope.constant(value));
          all[place] = in[0];
          return f(scope, all);
        },
        {at[place]});
  };
  for (std::size_t place = 0; place < 3; ++place) {
    const auto gru = [](Scope&, const Inputs& in) { return gru_gates(in[0], in[1], in[2]); };
    EXPECT_EQ(one_of(place, {wide, wide, state}, gru), "");
    const auto lstm = [](Scope&, const Inputs& in) {
      return lstm_output(in[0], in[1], lstm_state(in[0], in[1], in[2]));
    };
    EXPECT_EQ(one_of(place, {wide, wide, small}, lstm), "");
    const auto shown = [](Scope&, const Inputs& in) { return lstm_output(in[0], in[1], in[2]); };
    EXPECT_EQ(one_of(place, {wide, wide, small}, shown), "");
    const auto rnn = [](Scope&, const Inputs& in) { return rnn_gates(in[0], in[1]); };
    if (place < 2) {
      EXPECT_EQ(one_of(place, {state, state}, rnn), "");
    }
  }
}

TEST(Gates, OfStepsSlicedFromOneGemmPassGradientsBackToItsRows) {
  Rng rng(6);
  // Two steps over one hoisted GEMM; the second has one sentence less.
  const auto two_steps = [](Scope&, const Inputs& in) {
    const auto rows = [](const Var& all, Index begin, Index end) {
      return alias(all, all.value().row_range(begin, end));
    };
    const Var first = gru_gates(rows(in[0], 0, 3), in[1], in[2]);               // [3,H]
    return gru_gates(rows(in[0], 3, 5), rows(in[1], 0, 2), rows(first, 0, 2));  // [2,H]
  };
  EXPECT_EQ(jacobian_mismatch(two_steps,
                              {random_tensor(rng, {5, 6}), random_tensor(rng, {3, 6}), random_tensor(rng, {3, 2})}),
            "");
}

TEST(Gates, OfNoSentencesGiveNoRows) {
  ParameterSet parameters;
  const Parameter& wide = parameters.add("wide", {0, 12});
  const Parameter& state = parameters.add("state", {0, 4});
  const Parameter& small = parameters.add("small", {0, 3});
  GradientSet gradients(parameters);
  Arena arena;
  Tape tape(parameters);
  tape.start(gradients, Rng(1));
  Scope scope(arena, tape);
  const Var x = scope.parameter(wide);
  const Var h = gru_gates(x, x, scope.parameter(state));   // [0,4]
  const Var c = lstm_state(x, x, scope.parameter(small));  // [0,3]
  EXPECT_EQ(rnn_gates(h, h).shape(), (Shape{0, 4}));
  EXPECT_EQ(lstm_output(x, x, c).shape(), (Shape{0, 3}));
  tape.backward(lstm_output(x, x, c), Tensor::zeros({0, 3}));
}

TEST(Gates, KeepNothingInInference) {
  Arena arena;
  Scope scope(arena);
  const Var wide = scope.constant(Tensor::zeros({64, 192})), state = scope.constant(Tensor::zeros({64, 64}));
  const std::size_t before = arena.used_bytes();
  gru_gates(wide, wide, state);
  EXPECT_LT(arena.used_bytes() - before, 2 * 64 * 64 * sizeof(Real));
}

TEST(Gates, NameTheShapesThatDoNotFit) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&scope](const Shape& shape) { return scope.constant(Tensor::zeros(shape)); };
  EXPECT_EQ(thrown<ShapeError>([&] {
              rnn_gates(zeros({2, 3}), zeros({2, 4}));
            }),
            "rnn_gates: from_h is [2,4], expected [2,3]");
  EXPECT_EQ(thrown<ShapeError>([&] { rnn_gates(zeros({3}), zeros({3})); }),
            "rnn_gates: from_x is [3], expected rank 2");
  EXPECT_EQ(thrown<ShapeError>([&] {
              gru_gates(zeros({2, 8}), zeros({2, 9}), zeros({2, 3}));
            }),
            "gru_gates: from_x is [2,8], expected [2,9]");
  EXPECT_EQ(thrown<ShapeError>([&] {
              gru_gates(zeros({2, 9}), zeros({1, 9}), zeros({2, 3}));
            }),
            "gru_gates: from_h is [1,9], expected [2,9]");
  EXPECT_EQ(thrown<ShapeError>([&] {
              gru_gates(zeros({2, 9}), zeros({2, 9}), zeros({3}));
            }),
            "gru_gates: h_prev is [3], expected rank 2");
  EXPECT_EQ(thrown<ShapeError>([&] {
              lstm_state(zeros({2, 12}), zeros({2, 9}), zeros({2, 3}));
            }),
            "lstm_state: from_h is [2,9], expected [2,12]");
  EXPECT_EQ(thrown<ShapeError>([&] {
              lstm_output(zeros({2, 9}), zeros({2, 9}), zeros({2, 3}));
            }),
            "lstm_output: from_x is [2,9], expected [2,12]");
}

}  // namespace
}  // namespace dhyan
