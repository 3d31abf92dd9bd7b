#include "training/moving_average.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

struct TwoWeights {
  TwoWeights() { set(1, 2); }
  void set(Real first, Real second) {
    weights.begin()->value.span()[0] = first;
    weights.begin()->value.span()[1] = second;
  }
  std::vector<Real> now() const {
    const auto span = weights.begin()->value.span();
    return {span.begin(), span.end()};
  }
  ParameterSet weights = [] {
    ParameterSet set;
    set.add("w", {2});
    return set;
  }();
};

TEST(MovingAverages, ForgetInitialWeightsQuicklyAndLaterOnesSlowly) {
  TwoWeights model;
  MovingAverage average(model.weights, 0.5);
  model.set(3, 2);
  average.add(model.weights, 1);  // decay 2/11
  const double first = 1 * 2 / 11.0 + 3 * 9 / 11.0;
  EXPECT_NEAR(average.state().front().value.span()[0], first, 1e-6);
  average.add(model.weights, 1000);  // decay 1/2
  EXPECT_NEAR(average.state().front().value.span()[0], (first + 3) / 2, 1e-6);
  EXPECT_EQ(average.state().front().value.span()[1], 2) << "what does not move is its own average";
}

TEST(MovingAverages, ReplaceTheWeightsWhileSwappedIn) {
  TwoWeights model;
  MovingAverage average(model.weights, 0.9);
  model.set(5, 6);
  {
    const UseAverage used(&average, model.weights);
    EXPECT_EQ(model.now(), (std::vector<Real>{1, 2}));
  }
  EXPECT_EQ(model.now(), (std::vector<Real>{5, 6}));
  EXPECT_EQ(average.state().front().value.span()[0], 1);
  const UseAverage nothing(nullptr, model.weights);
  EXPECT_EQ(model.now(), (std::vector<Real>{5, 6}));
}

TEST(MovingAverages, AreTheSameOnAnyNumberOfThreads) {
  ParameterSet weights;
  for (Real& x : weights.add("large", {300, 500}).value.span()) x = static_cast<Real>(weights.count());
  MovingAverage alone(weights, 0.9), shared(weights, 0.9);
  Index i = 0;
  for (Real& x : weights.begin()->value.span()) x = Real(0.001) * static_cast<Real>(++i);
  ThreadPool pool(3);
  alone.add(weights, 1);
  shared.add(weights, 1, &pool);
  EXPECT_TRUE(std::ranges::equal(alone.state().front().value.span(), shared.state().front().value.span()));
}

TEST(MovingAverages, NeedADecayBelowOne) {
  for (const double decay : {0.0, 1.0, -0.5}) {
    EXPECT_EQ(thrown<ConfigError>([&] { MovingAverage(ParameterSet(), decay); }),
              cat("ema is ", decay, ", expected more than 0 and less than 1"));
  }
}

}  // namespace
}  // namespace dhyan
