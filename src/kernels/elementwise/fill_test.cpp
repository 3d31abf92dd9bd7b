#include "kernels/elementwise/fill.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/tensor.h"

namespace dhyan::kernels {
namespace {

// A matrix with a guard column at its right.
struct Block {
  Block(Index rows, Index cols) : values(static_cast<std::size_t>(rows * (cols + 1)), 7), rows_(rows), cols_(cols) {}
  Matrix matrix() { return {values.data(), rows_, cols_, cols_ + 1}; }
  void expect_guard() {
    for (Index i = 0; i < rows_; ++i) EXPECT_EQ(matrix().row(i)[cols_], 7);
  }

  std::vector<Real> values;

 private:
  Index rows_, cols_;
};

TEST(FillUniform, DrawsFromTheWholeRange) {
  Block block(50, 20);
  Rng rng(1);
  fill_uniform(rng, 0.5, block.matrix());
  block.expect_guard();
  double least = 1, most = -1, sum = 0;
  for (Index i = 0; i < 50; ++i) {
    for (Index j = 0; j < 20; ++j) {
      const double x = block.matrix().row(i)[j];
      least = std::min(least, x);
      most = std::max(most, x);
      sum += x;
    }
  }
  EXPECT_GE(least, -0.5);
  EXPECT_LT(least, -0.49);
  EXPECT_LT(most, 0.5);
  EXPECT_GT(most, 0.49);
  EXPECT_NEAR(sum / 1000, 0, 0.03);
}

// The largest deviation of wᵀw, or of wwᵀ if w is wide, from the identity.
double distance_from_orthogonal(ConstMatrix w) {
  const bool wide = w.rows <= w.cols;
  const auto at = [&](Index vector, Index k) -> double { return wide ? w.row(vector)[k] : w.row(k)[vector]; };
  double worst = 0;
  for (Index a = 0; a < std::min(w.rows, w.cols); ++a) {
    for (Index b = 0; b <= a; ++b) {
      double sum = 0;
      for (Index k = 0; k < std::max(w.rows, w.cols); ++k) sum += at(a, k) * at(b, k);
      worst = std::max(worst, std::abs(sum - (a == b ? 1 : 0)));
    }
  }
  return worst;
}

TEST(FillOrthogonal, HasOrthonormalColumnsOrRows) {
  Rng rng(2);
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {5, 5}, {64, 64}, {3, 9}, {9, 3}, {0, 4}}) {
    Block block(rows, cols);
    fill_orthogonal(rng, block.matrix());
    block.expect_guard();
    EXPECT_LT(distance_from_orthogonal(block.matrix()), sizeof(Real) == 8 ? 1e-12 : 1e-5) << rows << "x" << cols;
  }
}

TEST(FillOrthogonal, HasNoPreferredDirection) {
  Rng rng(3);
  double sum = 0;
  for (int i = 0; i < 2000; ++i) {
    Block block(2, 2);
    fill_orthogonal(rng, block.matrix());
    sum += block.matrix().row(0)[0];
  }
  EXPECT_NEAR(sum / 2000, 0, 0.05);
}

TEST(FillSinusoids, MatchesHandValues) {
  Block block(3, 5);
  fill_sinusoids(block.matrix());
  block.expect_guard();
  const double slow = std::pow(10000.0, -2.0 / 5), slowest = std::pow(10000.0, -4.0 / 5);
  for (int p = 0; p < 3; ++p) {
    const double expected[] = {std::sin(p), std::cos(p), std::sin(p * slow), std::cos(p * slow), std::sin(p * slowest)};
    for (int j = 0; j < 5; ++j) EXPECT_NEAR(block.matrix().row(p)[j], expected[j], 1e-6) << p << "," << j;
  }
}

TEST(FillSinusoids, PutsSinesBeforeCosinesInHalves) {
  for (const bool closed : {false, true}) {
    Tensor table = Tensor::zeros({3, 6});
    fill_sinusoids(table.matrix(), {.columns = SinusoidColumns::kHalves,
                                    .rates = closed ? SinusoidRates::kClosed : SinusoidRates::kOpen,
                                    .first = 2});
    for (int p = 0; p < 3; ++p) {
      for (int i = 0; i < 3; ++i) {
        const double angle = (2 + p) * std::pow(10000.0, closed ? -i / 2.0 : -i / 3.0);
        EXPECT_NEAR(table.row(p)[static_cast<std::size_t>(i)], std::sin(angle), 1e-6) << p << "," << i;
        EXPECT_NEAR(table.row(p)[static_cast<std::size_t>(3 + i)], std::cos(angle), 1e-6) << p << "," << i;
      }
    }
  }
}

}  // namespace
}  // namespace dhyan::kernels
