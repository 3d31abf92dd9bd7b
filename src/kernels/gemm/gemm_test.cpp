#include "kernels/gemm/gemm.h"

#include <array>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

TEST(Gemm, MatchesHandValues) {
  const std::vector<Real> a{1, 2, 3, 4, 5, 6}, b{1, 0, 0, 1, 1, 1};
  std::vector<Real> c(4, 99);
  gemm({a.data(), 2, 3, 3}, {b.data(), 3, 2, 2}, {c.data(), 2, 2, 2});
  EXPECT_EQ(c, (std::vector<Real>{4, 5, 10, 11}));
}

TEST(Gemm, EqualsTheSimpleLoopsInAllTransposesAndScales) {
  Rng rng(7);
  for (const auto& [m, n, k] : std::vector<std::array<Index, 3>>{
           {1, 1, 1}, {3, 5, 7}, {17, 33, 65}, {64, 1, 20}, {7, 40, 33}, {31, 70, 12}, {40, 300, 9}, {110, 20, 1100}}) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        PaddedRows a(rng, ta ? k : m, ta ? m : k, 3, 1), b(rng, tb ? n : k, tb ? k : n, 2, 1), c(rng, m, n, 1, 1);
        PaddedRows expected = c;
        const ConstMatrix a_read = ta ? a.matrix().t() : ConstMatrix(a.matrix());
        const ConstMatrix b_read = tb ? b.matrix().t() : ConstMatrix(b.matrix());
        PaddedRows expected_epilogue = c;
        const std::vector<Real> bias = random_values(rng, n);
        gemm_simple(a_read, b_read, expected.matrix(), {.alpha = 0.5, .beta = 2});
        gemm_simple(a_read, b_read, expected_epilogue.matrix(), {.bias = bias, .relu = true});
        on_every_target([&, &m = m, &n = n, &k = k] {
          PaddedRows got = c;
          gemm(a_read, b_read, got.matrix(), {.bias = bias, .relu = true});
          for (std::size_t i = 0; i < c.values.size(); ++i) {
            ASSERT_NEAR(got.values[i], expected_epilogue.values[i], 1e-4)
                << m << "x" << n << "x" << k << " " << ta << tb;
          }
          got = c;
          gemm(a_read, b_read, got.matrix(), {.alpha = 0.5, .beta = 2});
          for (std::size_t i = 0; i < c.values.size(); ++i) {
            ASSERT_NEAR(got.values[i], expected.values[i], 1e-4) << m << "x" << n << "x" << k << " " << ta << tb;
          }
        });
      }
    }
  }
}

TEST(Gemm, PacksOperandsWhoseRowsArePagesApart) {
  Rng rng(8);
  PaddedRows a(rng, 30, 1030, 1018, 1), b(rng, 1030, 40, 0, 1), at(rng, 1030, 30, 2018, 1);  // strides of 2048
  for (const ConstMatrix& left : {ConstMatrix(a.matrix()), at.matrix().t()}) {
    PaddedRows c(rng, 30, 40), expected = c;
    gemm(left, b.matrix(), c.matrix());
    gemm_simple(left, b.matrix(), expected.matrix());
    for (std::size_t i = 0; i < c.values.size(); ++i) ASSERT_NEAR(c.values[i], expected.values[i], 1e-4);
  }
}

TEST(Gemm, AddsABiasAndAppliesRelu) {
  const std::vector<Real> a{1, 2, 3, 4}, b{1, 0, 0, 1}, bias{-2, 1};
  std::vector<Real> c(4, 1);
  gemm({a.data(), 2, 2, 2}, {b.data(), 2, 2, 2}, {c.data(), 2, 2, 2}, {.beta = -1, .bias = bias, .relu = true});
  EXPECT_EQ(c, (std::vector<Real>{0, 2, 0, 4}));
}

TEST(Gemm, WithNoInnerDimensionGivesBetaTimesC) {
  std::vector<Real> c(4, 5);
  const Real unused = 0;
  gemm({&unused, 2, 0, 1}, {&unused, 0, 2, 2}, {c.data(), 2, 2, 2}, {.alpha = 1, .beta = 1});
  EXPECT_EQ(c, std::vector<Real>(4, 5));
  gemm({&unused, 2, 0, 1}, {&unused, 0, 2, 2}, {c.data(), 2, 2, 2});
  EXPECT_EQ(c, std::vector<Real>(4, 0));
}

TEST(Gemm, WithNoRowsDoesNothing) {
  const Real unused = 0;
  Real kept = 3;
  gemm({&unused, 0, 4, 4}, {&unused, 4, 1, 1}, {&kept, 0, 1, 1});
  EXPECT_EQ(kept, 3);
}

TEST(Gemm, OverwritesNanIfBetaIsZero) {
  const Real a = 2, b = 3;
  Real c = std::numeric_limits<Real>::quiet_NaN();
  gemm({&a, 1, 1, 1}, {&b, 1, 1, 1}, {&c, 1, 1, 1});
  EXPECT_EQ(c, 6);
}

TEST(Gemm, NamesShapesThatDoNotMatch) {
  Real c[4] = {};
  EXPECT_EQ(thrown<ShapeError>([&] {
              gemm({c, 2, 3, 3}, {c, 4, 5, 5}, {c, 2, 5, 5});
            }),
            "gemm: inner dimensions differ: a is [2,3], b is [4,5]");
  EXPECT_THROW(gemm({c, 2, 2, 2}, {c, 2, 2, 2}, {c, 1, 2, 2}), ShapeError);
}

}  // namespace
}  // namespace dhyan::kernels
