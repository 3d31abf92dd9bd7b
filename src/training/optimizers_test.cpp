#include "training/optimizers.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/testing/all_weights.h"
#include "core/error.h"
#include "core/rng.h"
#include "core/testing/thrown.h"
#include "training/chunks.h"

namespace dhyan {
namespace {

// Five steps on sum(c w^2) + sum(sin w) + b^3, the last term in every other step only.
std::vector<Real> five_steps(std::string_view name, double learning_rate, const OptimizerOptions& options = {}) {
  ParameterSet parameters;
  Parameter& w = parameters.add("w", {3});
  Parameter& b = parameters.add("b", {1});
  w.value = Tensor::of({3}, {1, -2, 0.5});
  b.value = Tensor::of({1}, {0.25});
  const auto optimizer = make_optimizer(name, parameters, options);
  GradientSet gradients(parameters);
  const std::vector<Real> c{1, 0.5, 3};
  for (int t = 0; t < 5; ++t) {
    gradients.clear();
    const std::span<Real> dw = gradients[w].touch_all().span();
    for (std::size_t i = 0; i < 3; ++i) dw[i] = 2 * c[i] * w.value.span()[i] + std::cos(w.value.span()[i]);
    if (t % 2 == 0) gradients[b].touch_row(0)[0] = 3 * b.value.item() * b.value.item();
    optimizer->step(parameters, gradients, learning_rate);
  }
  EXPECT_EQ(optimizer->steps(), 5);
  std::vector<Real> result(w.value.span().begin(), w.value.span().end());
  result.push_back(b.value.item());
  return result;
}

void expect_near(const std::vector<Real>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], sizeof(Real) == 8 ? 1e-11 : 2e-6) << i;
  }
}

// The expected numbers are PyTorch 1.13's for the same five steps, in double.

TEST(Optimizers, SgdEqualsPyTorch) {
  expect_near(five_steps("sgd", 0.1), {0.038342427391, -1.183539366442, -0.158075050988, 0.201312811360});
  expect_near(five_steps("sgd", 0.05, {.momentum = 0.9, .weight_decay = 0.01}),
              {-0.414368156675, -0.742353698721, -0.666897411379, 0.182134025355});
}

TEST(Optimizers, AdadeltaEqualsPyTorch) {
  expect_near(five_steps("adadelta", 1), {0.983596402192, -1.983617872068, 0.483658711950, 0.240430706948});
}

TEST(Optimizers, AdamEqualsPyTorch) {
  expect_near(five_steps("adam", 0.1), {0.502923812151, -1.505775623267, 0.015155292624, -0.064373361352});
  expect_near(five_steps("adam", 0.1, {.beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3, .weight_decay = 0.1}),
              {0.504786156007, -1.508158376630, 0.020602834334, -0.060636502554});
}

TEST(Optimizers, AdamWEqualsPyTorch) {
  expect_near(five_steps("adamw", 0.1), {0.498967550990, -1.496956288955, 0.013760518972, -0.064720006032});
}

// Larger than a chunk, with sizes that do not divide it, an empty parameter and a row-sparse gradient.
struct Trainable {
  ParameterSet parameters;
  GradientSet gradients;

  Trainable() : parameters(make()), gradients(parameters) { draw(0); }

  static ParameterSet make() {
    ParameterSet parameters;
    Rng rng(2);
    parameters.add("bias", {7});
    parameters.add("none", {0, 3});
    parameters.add("W", {kChunkElements / 64 + 3, 97});
    parameters.add("table", {50, 5});
    for (Parameter& parameter : parameters) {
      for (Real& x : parameter.value.span()) x = static_cast<Real>(rng.uniform(-1, 1));
    }
    return parameters;
  }

  void draw(std::uint64_t seed) {
    Rng rng(seed);
    gradients.clear();
    for (const char* name : {"bias", "W"}) {
      for (Real& x : gradients[*parameters.find(name)].touch_all().span()) x = static_cast<Real>(rng.uniform(-1, 1));
    }
    for (const RowId row : {3, 49}) gradients[*parameters.find("table")].touch_row(row)[1] = 1;
  }
};

TEST(Optimizers, GiveTheSameBytesOnAnyNumberOfThreads) {
  for (const OptimizerEntry& entry : optimizers()) {
    std::vector<Real> expected;
    for (const int threads : {0, 1, 2, 5}) {
      std::optional<ThreadPool> pool;
      if (threads > 0) pool.emplace(threads);
      Trainable model;
      const auto optimizer = make_optimizer(entry.name, model.parameters, {.momentum = 0.5});
      for (std::uint64_t step = 0; step < 3; ++step) {
        model.draw(step);
        optimizer->step(model.parameters, model.gradients, 0.1, pool ? &*pool : nullptr);
      }
      if (expected.empty()) expected = all_weights(model.parameters);
      EXPECT_EQ(all_weights(model.parameters), expected) << entry.name << " on " << threads << " threads";
    }
    EXPECT_NE(expected, all_weights(Trainable().parameters)) << entry.name;
  }
}

TEST(Optimizers, MeasureAStepWithoutChangingIt) {
  Trainable plain, measured;
  measured.parameters.begin()->frozen = plain.parameters.begin()->frozen = true;
  plain.draw(1);
  measured.draw(1);
  const std::vector<Real> before = all_weights(plain.parameters);
  make_optimizer("adam", plain.parameters)->step(plain.parameters, plain.gradients, 0.1);
  const std::vector<Real> after = all_weights(plain.parameters);
  double moved = 0, weights = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    moved += std::pow(double{after[i]} - before[i], 2);
    weights += std::pow(double{after[i]}, 2);
  }
  ThreadPool pool(2);
  const auto optimizer = make_optimizer("adam", measured.parameters);
  const StepLength length = sum_of(optimizer->measured_step(measured.parameters, measured.gradients, 0.1, &pool));
  EXPECT_EQ(all_weights(measured.parameters), after);
  EXPECT_NEAR(length.moved, moved, 1e-4 * moved);
  EXPECT_NEAR(length.weights, weights, 1e-4 * weights);
}

TEST(Optimizers, ContinueAfterARestoreAsIfNeverStopped) {
  for (const OptimizerEntry& entry : optimizers()) {
    Trainable straight, stopped;
    const OptimizerOptions options{.momentum = 0.5};
    const auto one = make_optimizer(entry.name, straight.parameters, options);
    auto other = make_optimizer(entry.name, stopped.parameters, options);
    for (std::uint64_t step = 0; step < 4; ++step) {
      if (step == 2) {
        std::vector<NamedTensor> saved;
        for (const NamedTensor& tensor : other->state()) saved.push_back({tensor.name, tensor.value.clone()});
        auto fresh = make_optimizer(entry.name, stopped.parameters, options);
        fresh->restore(saved, other->steps());
        other = std::move(fresh);
      }
      for (Trainable* model : {&straight, &stopped}) model->draw(step);
      one->step(straight.parameters, straight.gradients, 0.1);
      other->step(stopped.parameters, stopped.gradients, 0.1);
    }
    EXPECT_EQ(all_weights(straight.parameters), all_weights(stopped.parameters)) << entry.name;
    EXPECT_EQ(other->steps(), 4);
  }
}

TEST(Optimizers, RestoreAllTheirStateOrNone) {
  ParameterSet parameters;
  parameters.add("w", {2});
  const auto optimizer = make_optimizer("adam", parameters);
  const Tensor ones = Tensor::of({2}, {1, 1});
  const auto refusal = [&](const std::vector<NamedTensor>& state) {
    return thrown<ModelFileError>([&] { optimizer->restore(state, 9); });
  };
  EXPECT_EQ(refusal({{"w.exp_avg", ones}}), "Optimizer::restore: tensor 'w.exp_avg_sq' is missing");
  EXPECT_EQ(refusal({{"w.exp_avg", ones}, {"w.exp_avg_sq", Tensor::zeros({3})}}),
            "Optimizer::restore: tensor 'w.exp_avg_sq' is [3], expected [2]");
  EXPECT_EQ(refusal({{"w.exp_avg", ones}, {"w.exp_avg_sq", ones}, {"v.exp_avg", ones}}),
            "Optimizer::restore: 3 tensors after 9 steps, expected 2 tensors");
  EXPECT_EQ(optimizer->steps(), 0);
  EXPECT_EQ(optimizer->state()[0].value.data()[0], 0);
}

TEST(Optimizers, RefuseAnotherModel) {
  ParameterSet small, other, large;
  small.add("w", {2});
  other.add("w", {3});
  large.add("w", {2});
  large.add("v", {2});
  const auto optimizer = make_optimizer("sgd", small);
  EXPECT_EQ(thrown<ShapeError>([&] { optimizer->step(other, GradientSet(other), 1); }),
            "Optimizer::step: w is [3], expected [2]");
  EXPECT_EQ(thrown<ShapeError>([&] { optimizer->step(small, GradientSet(other), 1); }),
            "Optimizer::step: w is [3], expected [2]");
  EXPECT_EQ(thrown<UsageError>([&] { optimizer->step(large, GradientSet(small), 1); }),
            "Optimizer::step: 2 parameters and 1 gradients, expected 1 of each");
}

TEST(Optimizers, RefuseSettingsOutOfRange) {
  ParameterSet parameters;
  const auto refusal = [&](const char* name, const OptimizerOptions& options) {
    return thrown<ConfigError>([&] { make_optimizer(name, parameters, options); });
  };
  EXPECT_EQ(refusal("newton", {}), "optimizer: 'newton' is none of sgd, adadelta, adam, adamw");
  EXPECT_EQ(refusal("adam", {.beta2 = 1}), "optimizer: beta2 is 1, expected 0 or more and less than 1");
  EXPECT_EQ(refusal("sgd", {.momentum = NAN}), "optimizer: momentum is nan, expected 0 or more and less than 1");
  EXPECT_EQ(refusal("adamw", {.weight_decay = -1}),
            "optimizer: weight_decay is -1, expected 0 or more and less than inf");
  EXPECT_NE(make_optimizer("adam", parameters), nullptr);
}

}  // namespace
}  // namespace dhyan
