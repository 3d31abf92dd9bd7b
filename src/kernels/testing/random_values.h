#pragma once

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/matrix.h"
#include "core/rng.h"

namespace dhyan::kernels {

// For tests: lengths around all vector widths, and beyond two of the widest.
inline const std::vector<Index> kLengths{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 70};

// For sums of a few values around 1.
inline constexpr double kTolerance = sizeof(Real) == 8 ? 1e-12 : 2e-6;

inline std::vector<Real> random_values(Rng& rng, Index n, double low = -3, double high = 3) {
  std::vector<Real> values(static_cast<std::size_t>(n));
  for (Real& x : values) x = static_cast<Real>(rng.uniform(low, high));
  return values;
}

inline Matrix matrix_of(std::vector<Real>& values, Index cols) {
  return {values.data(), static_cast<Index>(values.size()) / cols, cols, cols};
}

// Random rows with a gap after each.
struct PaddedRows {
  std::vector<Real> values;
  Index rows, cols, stride;

  PaddedRows(Rng& rng, Index m, Index n, Index padding = 3, double range = 3)
      : values(random_values(rng, m * (n + padding), -range, range)), rows(m), cols(n), stride(n + padding) {}
  Matrix matrix() { return {values.data(), rows, cols, stride}; }
  double at(Index r, Index c) const { return values[static_cast<std::size_t>(r * stride + c)]; }
};

// Each within `tolerance` of the expected value, absolutely or relatively.
inline void expect_near(const std::vector<Real>& got, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << i;
  }
}

}  // namespace dhyan::kernels
