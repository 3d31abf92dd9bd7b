#pragma once

#include <span>

#include "core/real.h"

namespace dhyan::kernels {

// Optimizer steps on weights w with gradient g; each updates weights and state in one pass. Spans of equal length. In
// the equations, g stands for g + weight_decay w.

// w -= rate g
struct SgdStep {
  double rate = 0;
  double weight_decay = 0;
  double momentum = 0;
};
void sgd(std::span<Real> w, std::span<const Real> g, const SgdStep& step);

// b = momentum b + g;   w -= rate b
void sgd_with_momentum(std::span<Real> w, std::span<const Real> g, std::span<Real> b, const SgdStep& step);

// s = rho s + (1-rho) g^2;   d = g sqrt(a+epsilon) / sqrt(s+epsilon);   a = rho a + (1-rho) d^2;   w -= rate d
struct AdadeltaStep {
  double rate = 0;
  double weight_decay = 0;
  double rho = 0;
  double epsilon = 0;
};
void adadelta(std::span<Real> w, std::span<const Real> g, std::span<Real> s, std::span<Real> a,
              const AdadeltaStep& step);

// m = beta1 m + (1-beta1) g;   v = beta2 v + (1-beta2) g^2;
// w = shrink w - rate (m / correction1) / (sqrt(v / correction2) + epsilon)
struct AdamStep {
  double rate = 0;
  double weight_decay = 0;
  double shrink = 1;
  double beta1 = 0;
  double beta2 = 0;
  double epsilon = 0;
  double correction1 = 1;
  double correction2 = 1;
};
void adam(std::span<Real> w, std::span<const Real> g, std::span<Real> m, std::span<Real> v, const AdamStep& step);

// Exponential moving average: a += rate (w - a). An a that equals w stays equal.
void ema_update(std::span<Real> a, std::span<const Real> w, double rate);

}  // namespace dhyan::kernels
