// Every fused op against the same formula written with plain ops: values and all gradients.
#include <algorithm>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "ops/activations.h"
#include "ops/additive_energies.h"
#include "ops/arithmetic.h"
#include "ops/attention_products.h"
#include "ops/dropout.h"
#include "ops/gates.h"
#include "ops/linear.h"
#include "ops/matmul.h"
#include "ops/output_loss.h"
#include "ops/rdrop_output_loss.h"
#include "ops/reductions.h"
#include "ops/rows.h"
#include "ops/softmax.h"

namespace dhyan {
namespace {

struct Outcome {
  std::vector<Real> value;
  std::vector<std::vector<Real>> gradients;  // of the inputs
};

// f at these inputs, and its gradients for an uneven gradient from above.
Outcome outcome_of(const DifferentiableFunction& f, const std::vector<Tensor>& inputs) {
  ParameterSet parameters;
  for (const Tensor& input : inputs) {
    const Parameter& added = parameters.add(std::to_string(parameters.count()), input.shape());
    std::ranges::copy(input.span(), added.value.data());
  }
  GradientSet sink(parameters);
  Arena arena;
  Tape tape(parameters);
  tape.start(sink, Rng(0));
  Scope scope(arena, tape);
  std::vector<Var> vars;
  for (const Parameter& parameter : parameters) vars.push_back(scope.parameter(parameter));
  const Var y = f(scope, vars);
  const auto copy = [](const Tensor& t) { return std::vector<Real>(t.span().begin(), t.span().end()); };
  Outcome outcome{copy(y.value()), {}};
  const Tensor seed = Tensor::zeros(y.shape());
  for (Index i = 0; i < seed.size(); ++i) seed.data()[i] = static_cast<Real>(1 + i % 3);
  tape.backward(y, seed);
  for (const Parameter& parameter : parameters) outcome.gradients.push_back(copy(sink[parameter].value()));
  return outcome;
}

void expect_near(const std::vector<Real>& a, const std::vector<Real>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], sizeof(Real) == 8 ? 1e-12 : 1e-5) << i;
}

void expect_equal(const DifferentiableFunction& fused, const DifferentiableFunction& composed,
                  const std::vector<Tensor>& inputs) {
  const Outcome a = outcome_of(fused, inputs), b = outcome_of(composed, inputs);
  expect_near(a.value, b.value);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    SCOPED_TRACE(i);
    expect_near(a.gradients[i], b.gradients[i]);
  }
}

using Vars = std::vector<Var>;
constexpr Index n = 3, H = 5;

Tensor random(const Shape& shape) {
  Rng rng(static_cast<std::uint64_t>(shape.size()));
  return random_tensor(rng, shape, -2, 2);
}

TEST(Fused, LinearWithReluEqualsOneAfterTheOther) {
  const std::vector<Tensor> inputs{random({n, H}), random({H, 40}), random({40})};
  expect_equal([](Scope&, const Vars& in) { return linear_relu(in[0], in[1], in[2]); },
               [](Scope&, const Vars& in) { return relu(linear(in[0], in[1], in[2])); }, inputs);
  const std::vector<Tensor> square{random({n, H}), random({H, H}), random({H})};  // the weight of two products
  expect_equal([](Scope&, const Vars& in) { return linear_relu(linear_relu(in[0], in[1], in[2]), in[1], in[2]); },
               [](Scope&, const Vars& in) { return relu(linear(relu(linear(in[0], in[1], in[2])), in[1], in[2])); },
               square);
}

TEST(Fused, SumWithDropoutEqualsOneAfterTheOther) {
  for (const double probability : {0.0, 0.4}) {
    const auto fused = [&](Scope&, const Vars& in) { return add_dropped(in[0], in[1], probability); };
    const auto composed = [&](Scope&, const Vars& in) { return add(in[0], dropout(in[1], probability)); };
    expect_equal(fused, composed, {random({n, H}), random({n, H})});
    const auto of_one = [](const auto& f) {  // its gradients are added
      return [f](Scope& scope, const Vars& in) {
        const Var x = tanh(in[0]);
        return add(f(scope, {x, x}), x);
      };
    };
    expect_equal(of_one(fused), of_one(composed), {random({n, H})});
    EXPECT_EQ(jacobian_mismatch(of_one(fused), {random({n, H})}), "");
  }
}

// 1 - x
Var complement(Scope& scope, const Var& x) {
  const Tensor ones = scope.tensor(x.shape());
  ones.fill(1);
  return add(scope.constant(ones), scale(x, -1));
}

TEST(FusedRnnGates, EqualPlainOps) {
  expect_equal([](Scope&, const Vars& in) { return rnn_gates(in[0], in[1]); },
               [](Scope&, const Vars& in) { return tanh(add(in[0], in[1])); }, {random({n, H}), random({n, H})});
}

TEST(FusedGruGates, EqualPlainOps) {
  const auto composed = [](Scope& scope, const Vars& in) {
    const auto [x_r, x_z, x_n] = split_cols<3>(in[0]);
    const auto [h_r, h_z, h_n] = split_cols<3>(in[1]);
    const Var r = sigmoid(add(x_r, h_r));                    // [n,H]
    const Var z = sigmoid(add(x_z, h_z));                    // [n,H]
    const Var candidate = tanh(add(x_n, multiply(r, h_n)));  // [n,H]
    return add(multiply(complement(scope, z), candidate), multiply(z, in[2]));
  };
  expect_equal([](Scope&, const Vars& in) { return gru_gates(in[0], in[1], in[2]); }, composed,
               {random({n, 3 * H}), random({n, 3 * H}), random({n, H})});
}

TEST(FusedLstmGates, EqualPlainOps) {
  const auto fused = [](Scope&, const Vars& in) {
    const Var c = lstm_state(in[0], in[1], in[2]);
    return concat_cols({lstm_output(in[0], in[1], c), c});
  };
  const auto composed = [](Scope&, const Vars& in) {
    const auto [i, f, g, o] = split_cols<4>(add(in[0], in[1]));
    const Var c = add(multiply(sigmoid(f), in[2]), multiply(sigmoid(i), tanh(g)));  // [n,H]
    return concat_cols({multiply(sigmoid(o), tanh(c)), c});
  };
  expect_equal(fused, composed, {random({n, 4 * H}), random({n, 4 * H}), random({n, H})});
}

// -Σ q log p over rows, q the smoothed targets.
Var composed_cross_entropy(Scope& scope, const Var& log_p, const std::vector<RowId>& targets, double smoothing) {
  const Tensor q = scope.tensor(log_p.shape());  // [n,V]
  q.fill(static_cast<Real>(smoothing / static_cast<double>(log_p.cols())));
  for (std::size_t r = 0; r < targets.size(); ++r) {
    q.row(static_cast<Index>(r))[static_cast<std::size_t>(targets[r])] += static_cast<Real>(1 - smoothing);
  }
  return scale(sum(multiply(scope.constant(q), log_p)), -1);  // []
}

Var composed_log_probabilities(const Var& x, const Var& weight, const Var& bias) {
  return log_softmax(add_bias(matmul(x, Transpose::kNo, weight, Transpose::kYes), bias));  // [n,V]
}

TEST(FusedOutputLoss, EqualsLinearLogSoftmaxAndASum) {
  constexpr double kSmoothing = 0.1;
  constexpr Index V = 7;
  const std::vector<RowId> targets{6, 0, 3};
  const auto fused = [&](Scope&, const Vars& in) {
    return output_loss(in[0], {in[1], in[2]}, targets, {.label_smoothing = kSmoothing, .chunk_rows = 2}).loss;
  };
  const auto composed = [&](Scope& scope, const Vars& in) {
    return composed_cross_entropy(scope, composed_log_probabilities(in[0], in[1], in[2]), targets, kSmoothing);  // []
  };
  expect_equal(fused, composed, {random({n, H}), random({V, H}), random({V})});
}

// (CE(p) + CE(q)) / 2 + α/2 Σ (p - q)(log p - log q)
TEST(FusedRDropOutputLoss, EqualsTwoLossesAndTheirDivergence) {
  constexpr double kSmoothing = 0.1, kAlpha = 3;
  constexpr Index V = 7;
  const std::vector<RowId> targets{6, 0, 3};
  const auto fused = [&](Scope&, const Vars& in) {
    return rdrop_output_loss(in[0], in[1], {in[2], in[3]}, targets,
                             {.label_smoothing = kSmoothing, .alpha = kAlpha, .chunk_rows = 2})
        .loss;
  };
  const auto composed = [&](Scope& scope, const Vars& in) {
    const Var log_p = composed_log_probabilities(in[0], in[2], in[3]);  // [n,V]
    const Var log_q = composed_log_probabilities(in[1], in[2], in[3]);  // [n,V]
    const Var losses = add(composed_cross_entropy(scope, log_p, targets, kSmoothing),
                           composed_cross_entropy(scope, log_q, targets, kSmoothing));  // []
    const auto minus = [](const Var& a, const Var& b) { return add(a, scale(b, -1)); };
    const Var p = softmax(log_p), q = softmax(log_q);                        // [n,V]
    const Var divergence = sum(multiply(minus(p, q), minus(log_p, log_q)));  // []
    return add(scale(losses, Real{0.5}), scale(divergence, static_cast<Real>(kAlpha / 2)));
  };
  Rng rng(8);
  expect_equal(fused, composed,
               {random({n, H}), random_tensor(rng, {n, H}, -2, 2), random({V, H}), random_tensor(rng, {V}, -2, 2)});
}

TEST(FusedLinear, EqualsMatmulAndBias) {
  expect_equal([](Scope&, const Vars& in) { return linear(in[0], in[1], in[2]); },
               [](Scope&, const Vars& in) { return add_bias(matmul(in[0], in[1]), in[2]); },
               {random({n, H}), random({H, 4}), random({4})});
}

// v·tanh(q + k) of every pair of one head, by rows that are gathered for each pair.
Var composed_additive(const Vars& in, const std::vector<RowId>& queries, const std::vector<RowId>& keys) {
  const Var sums = add(gather_rows(in[0], queries), gather_rows(in[1], keys));  // [pairs,A]
  return matmul(tanh(sums), reshape(in[2], {in[2].cols(), 1}));                 // [pairs,1]
}

TEST(FusedAdditiveEnergies, EqualPlainOps) {
  const AttentionLayout layout{Segments::from_lengths({2, 0, 1}), Segments::from_lengths({3, 1, 2}), 1};
  const auto composed = [&](Scope&, const Vars& in) {
    return reshape(composed_additive(in, {0, 0, 0, 1, 1, 1, 2, 2}, {0, 1, 2, 0, 1, 2, 4, 5}), {layout.count()});
  };
  expect_equal([&](Scope&, const Vars& in) { return additive_energies(in[0], in[1], in[2], layout); }, composed,
               {random({3, H}), random({6, H}), random({H})});
}

TEST(FusedAdditiveEnergies, OfTwoHeadsEqualPlainOpsOnEachHeadsColumns) {
  const AttentionLayout layout{Segments::singles(1), Segments::one(3), 2};
  const auto composed = [&](Scope&, const Vars& in) {
    std::vector<Var> heads;
    for (Index head = 0; head < 2; ++head) {
      Vars own;
      for (const Var& x : in) own.push_back(slice_cols(x, head * H, (head + 1) * H));
      heads.push_back(composed_additive(own, {0, 0, 0}, {0, 1, 2}));  // [3,1]
    }
    return reshape(concat_rows(heads), {layout.count()});
  };
  expect_equal([&](Scope&, const Vars& in) { return additive_energies(in[0], in[1], in[2], layout); }, composed,
               {random({1, 2 * H}), random({3, 2 * H}), random({2 * H})});
}

TEST(AttentionOfOneSentenceAndHead, EqualsMatmulSoftmaxMatmul) {
  const AttentionLayout layout{Segments::one(n), Segments::one(4), 1};
  const auto segments = [&](Scope&, const Vars& in) {
    return contexts(segment_softmax(energies(in[0], in[1], layout, Real{0.5}), layout), in[2], layout);
  };
  const auto plain = [](Scope&, const Vars& in) {
    const Var energy = scale(matmul(in[0], Transpose::kNo, in[1], Transpose::kYes), Real{0.5});  // [n,4]
    return matmul(softmax(energy), in[2]);                                                       // [n,2]
  };
  expect_equal(segments, plain, {random({n, H}), random({4, H}), random({4, 2})});
}

}  // namespace
}  // namespace dhyan
