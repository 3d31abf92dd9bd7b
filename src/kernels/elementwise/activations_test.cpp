#include "kernels/elementwise/activations.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using Values = std::vector<Real>;

struct Activation {
  const char* name;
  void (*forward)(std::span<const Real>, std::span<Real>);
  void (*backward)(std::span<const Real>, std::span<const Real>, std::span<Real>);
  bool backward_takes_y;
  double (*value)(double);
  double (*slope)(double);
};

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double gelu_tanh(double x) { return std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)); }

double normal_cdf(double x) { return (1 + std::erf(x / std::sqrt(2.0))) / 2; }

const Activation kActivations[] = {
    {"tanh", tanh, tanh_backward, true, [](double x) { return std::tanh(x); },
     [](double x) { return 1 - std::tanh(x) * std::tanh(x); }},
    {"sigmoid", sigmoid, sigmoid_backward, true, logistic, [](double x) { return logistic(x) * logistic(-x); }},
    {"relu", relu, relu_backward, true, [](double x) { return x > 0 ? x : 0; },
     [](double x) { return x > 0 ? 1.0 : 0.0; }},
    {"relu6", relu6, relu6_backward, true, [](double x) { return x < 0   ? 0
                                                                 : x > 6 ? 6
                                                                         : x; },
     [](double x) { return x > 0 && x < 6 ? 1.0 : 0.0; }},
    {"gelu", gelu, gelu_backward, false, [](double x) { return 0.5 * x * (1 + gelu_tanh(x)); },
     [](double x) {
       const double t = gelu_tanh(x);
       return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * std::sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
     }},
    {"gelu_erf", gelu_erf, gelu_erf_backward, false, [](double x) { return x * normal_cdf(x); },
     [](double x) { return normal_cdf(x) + x * std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }},
    {"swish", swish, swish_backward, false, [](double x) { return x * logistic(x); },
     [](double x) { return logistic(x) + x * logistic(x) * logistic(-x); }},
};

TEST(Activations, ReluBackwardWorksInPlace) {
  on_every_target([] {
    std::vector<Real> y(37), dy(37, 2);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = i % 3 == 0 ? 0 : static_cast<Real>(i);
    relu_backward_in_place(y, dy);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(dy[i], i % 3 == 0 ? 0 : 2) << i;
  });
}

TEST(Activations, Relu6BackwardWorksInPlace) {
  on_every_target([] {
    std::vector<Real> y(37), dy(37, 2);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<Real>(i % 4 * 2);
    relu6_backward_in_place(y, dy);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(dy[i], i % 4 == 0 || i % 4 == 3 ? 0 : 2) << i;
  });
}

TEST(Activations, EqualTheStandardLibraryOnEveryTarget) {
  on_every_target([] {
    for (const Activation& f : kActivations) {
      SCOPED_TRACE(f.name);
      Rng rng(5);
      for (const Index n : kLengths) {
        const Values x = random_values(rng, n, -8, 8), dy = random_values(rng, n);
        Values y(x.size() + 1, 77), dx(x.size() + 1, 0.5);
        f.forward(x, std::span(y).first(x.size()));
        f.backward(f.backward_takes_y ? std::span<const Real>(y).first(x.size()) : std::span<const Real>(x), dy,
                   std::span(dx).first(x.size()));
        for (std::size_t i = 0; i < x.size(); ++i) {
          EXPECT_NEAR(y[i], f.value(x[i]), kTolerance * std::max(1.0, std::abs(f.value(x[i])))) << x[i];
          EXPECT_NEAR(dx[i], 0.5 + dy[i] * f.slope(x[i]), 4 * kTolerance) << x[i];
        }
        EXPECT_EQ(y.back(), 77);
        EXPECT_EQ(dx.back(), Real{0.5});
      }
    }
  });
}

TEST(Activations, KeepTheRelativePrecisionOfTanhAndItsBound) {
  on_every_target([] {
    Values x;
    for (double at = 1e-30; at < 20; at *= 1.001) x.insert(x.end(), {static_cast<Real>(at), static_cast<Real>(-at)});
    Values y(x.size());
    tanh(x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(y[i] / std::tanh(double{x[i]}), 1, sizeof(Real) == 8 ? 1e-14 : 5e-7) << x[i];
      EXPECT_LE(std::abs(y[i]), 1) << x[i];
    }
  });
}

TEST(Activations, KeepTheRelativePrecisionOfSmallSigmoids) {
  on_every_target([] {
    Values x;
    for (double at = -86; at < 0; at += 0.01) x.push_back(static_cast<Real>(at));
    Values y(x.size());
    sigmoid(x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double exact = std::exp(double{x[i]}) / (1 + std::exp(double{x[i]}));
      EXPECT_NEAR(y[i] / exact, 1, sizeof(Real) == 8 ? 1e-14 : 4e-7) << x[i];
    }
  });
}

TEST(Activations, StayFiniteFarFromZero) {
  constexpr Real kLargest = std::numeric_limits<Real>::max();
  on_every_target([] {
    const Values x{-kLargest, -1e6, -1000, 1000, 1e6, kLargest};
    const Values below_and_above{0, 0, 0, 1, 1, 1};
    Values y(x.size());
    sigmoid(x, y);
    EXPECT_EQ(y, below_and_above);
    const Values large{-1e6, -1000, 1000, 1e6}, ones(4, 1);
    for (const Activation& f : kActivations) {
      SCOPED_TRACE(f.name);
      Values dx(4, 0);
      y.assign(4, 0);
      f.forward(large, y);
      f.backward(f.backward_takes_y ? y : large, ones, dx);
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(y[i], f.value(large[i]));
        EXPECT_EQ(dx[i], f.slope(large[i]));
      }
    }
  });
}

TEST(Activations, PropagateNan) {
  on_every_target([] {
    for (const Activation& f : kActivations) {
      const Values x{std::numeric_limits<Real>::quiet_NaN()};
      Values y{0};
      f.forward(x, y);
      EXPECT_TRUE(std::isnan(y[0])) << f.name;
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels
