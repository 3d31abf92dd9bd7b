#include "kernels/bfloat16/bfloat16.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/gemm/gemm.h"
#include "kernels/gemm/packed_matrix.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

PaddedRows rounded(PaddedRows values) {
  for (Real& x : values.values) x = rounded_to_bfloat16(x);
  return values;
}

ConstMatrix read_as(PaddedRows& stored, bool transposed) {
  return transposed ? stored.matrix().t() : ConstMatrix(stored.matrix());
}

TEST(Bfloat16, RoundsToNearestEven) {
  EXPECT_EQ(rounded_to_bfloat16(1.0f), 1.0f);
  EXPECT_EQ(rounded_to_bfloat16(from_bits(0x3f80'8000)), from_bits(0x3f80'0000)) << "even below";
  EXPECT_EQ(rounded_to_bfloat16(from_bits(0x3f81'8000)), from_bits(0x3f82'0000)) << "even above";
  EXPECT_EQ(rounded_to_bfloat16(from_bits(0x3f80'8001)), from_bits(0x3f81'0000));
  EXPECT_EQ(rounded_to_bfloat16(from_bits(0xbf80'7fff)), from_bits(0xbf80'0000));
}

TEST(Bfloat16, KeepsInfinityAndNanAndFlushesDenormals) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  EXPECT_EQ(rounded_to_bfloat16(-kInfinite), -kInfinite);
  EXPECT_EQ(rounded_to_bfloat16(std::numeric_limits<float>::max()), kInfinite);
  EXPECT_TRUE(std::isnan(rounded_to_bfloat16(from_bits(0x7f80'0001)))) << "whose upper half alone would be infinite";
  EXPECT_EQ(bfloat16_bits(from_bits(0x807f'ffff)), 0x8000u);
}

TEST(Bfloat16, RoundsTheSameInGemmAndAlone) {
  constexpr Index kSize = 70;
  Rng rng(1);
  PaddedRows a(rng, kSize, kSize), identity(rng, kSize, kSize), left(rng, kSize, kSize), right = left;
  for (Real& x : a.values) {
    const float any = from_bits(static_cast<std::uint32_t>(rng.below(std::uint64_t{1} << 32)));
    x = std::isfinite(rounded_to_bfloat16(any)) ? any : from_bits(0x007f'ffff);
  }
  for (Index i = 0; i < kSize; ++i) {
    for (Index j = 0; j < kSize; ++j) identity.matrix().row(i)[j] = i == j ? 1 : 0;
  }
  on_every_target([&] {
    for (const bool transposed : {false, true}) {
      gemm(read_as(a, transposed), identity.matrix(), left.matrix(), {.precision = Precision::kBfloat16});
      gemm(identity.matrix(), read_as(a, transposed), right.matrix(), {.precision = Precision::kBfloat16});
      for (Index i = 0; i < kSize; ++i) {
        for (Index j = 0; j < kSize; ++j) {
          const auto alone = static_cast<Real>(transposed ? a.at(j, i) : a.at(i, j));
          ASSERT_EQ(left.at(i, j), rounded_to_bfloat16(alone)) << alone;
          ASSERT_EQ(right.at(i, j), rounded_to_bfloat16(alone)) << alone;
        }
      }
    }
  });
}

TEST(Bfloat16, GemmEqualsPlainLoopsOnRoundedOperandsInAllTransposesAndScales) {
  Rng rng(7);
  for (const auto& [m, n, k] : std::vector<std::array<Index, 3>>{
           {1, 1, 1}, {3, 5, 7}, {17, 33, 65}, {64, 1, 20}, {7, 40, 33}, {31, 70, 12}, {40, 300, 9}, {110, 20, 2101}}) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        PaddedRows a(rng, ta ? k : m, ta ? m : k, 3, 1), b(rng, tb ? n : k, tb ? k : n, 2, 1), c(rng, m, n, 1, 1);
        PaddedRows a_rounded = rounded(a), b_rounded = rounded(b), expected = c, expected_epilogue = c;
        const std::vector<Real> bias = random_values(rng, n);
        GemmOptions scaled{.alpha = 0.5, .beta = 2}, with_epilogue{.bias = bias, .relu = true};
        gemm_simple(read_as(a_rounded, ta), read_as(b_rounded, tb), expected.matrix(), scaled);
        gemm_simple(read_as(a_rounded, ta), read_as(b_rounded, tb), expected_epilogue.matrix(), with_epilogue);
        scaled.precision = with_epilogue.precision = Precision::kBfloat16;
        on_every_target([&, &m = m, &n = n, &k = k] {
          PaddedRows got = c, got_epilogue = c;
          gemm(read_as(a, ta), read_as(b, tb), got.matrix(), scaled);
          gemm(read_as(a, ta), read_as(b, tb), got_epilogue.matrix(), with_epilogue);
          for (std::size_t i = 0; i < c.values.size(); ++i) {
            ASSERT_NEAR(got.values[i], expected.values[i], 2e-4) << m << "x" << n << "x" << k << " " << ta << tb;
            ASSERT_NEAR(got_epilogue.values[i], expected_epilogue.values[i], 2e-4)
                << m << "x" << n << "x" << k << ta << tb;
          }
        });
      }
    }
  }
}

#ifndef DHYAN_REAL_DOUBLE

// The second product of each pair along k is added first, as in vdpbf16ps.
float sum_of_pairs(const ConstMatrix& a, const ConstMatrix& b, Index row, Index column) {
  float sum = 0;
  const auto add = [&](Index k) {
    if (k < a.cols) sum = std::fma(rounded_to_bfloat16(a.row(row)[k]), rounded_to_bfloat16(b.row(k)[column]), sum);
  };
  for (Index k = 0; k < a.cols; k += 2) add(k + 1), add(k);
  return sum;
}

TEST(Bfloat16, GemmIsTheSameBytesWithAndWithoutAvx512Bf16) {
  Rng rng(9);
  for (const Index M : {1, 13, 40}) {
    for (const Index K : {1, 64, 301}) {
      PaddedRows a(rng, M, K), b(rng, K, 50), c(rng, M, 50), packed(rng, M, 50);
      on_every_target([&] {
        if ((hwy::SupportedTargets() & (HWY_AVX2 | HWY_AVX3)) == 0) return;  // no fused multiply-adds
        if (uses_amx()) return;                                              // AMX sums in another order
        gemm(a.matrix(), b.matrix(), c.matrix(), {.precision = Precision::kBfloat16});
        std::vector<Real> memory(static_cast<std::size_t>(packed_panels_size(b.matrix(), Precision::kBfloat16)));
        const PackedPanels panels = pack_panels(b.matrix(), Precision::kBfloat16, memory.data());
        multiply_panels(a.matrix(), panels, {}, packed.matrix());
        for (Index i = 0; i < M; ++i) {
          for (Index j = 0; j < 50; ++j) {
            ASSERT_EQ(c.at(i, j), sum_of_pairs(a.matrix(), b.matrix(), i, j)) << M << "x" << K << " " << i << "," << j;
            ASSERT_EQ(packed.at(i, j), c.at(i, j)) << M << "x" << K << " " << i << "," << j;
          }
        }
      });
    }
  }
}

#endif

TEST(Bfloat16, GemmRowsDoNotDependOnTheirNeighbours) {
  Rng rng(11);
  PaddedRows a(rng, 130, 77), b(rng, 77, 45), c(rng, 130, 45), alone(rng, 1, 45);
  const std::vector<Real> bias = random_values(rng, 45);
  const GemmOptions options{.bias = bias, .precision = Precision::kBfloat16};
  on_every_target([&] {
    gemm(a.matrix(), b.matrix(), c.matrix(), options);
    for (const Index i : {0, 1, 12, 95, 96, 129}) {
      gemm({a.matrix().row(i), 1, 77, a.stride}, b.matrix(), alone.matrix(), options);
      for (Index j = 0; j < 45; ++j) EXPECT_EQ(alone.at(0, j), c.at(i, j)) << i << "," << j;
    }
  });
}

TEST(Bfloat16, MultiplyPanelsAddsBetaTimesY) {
  Rng rng(12);
  PaddedRows a(rng, 30, 33), b(rng, 20, 33), c(rng, 30, 20), a_rounded = rounded(a), b_rounded = rounded(b);
  PaddedRows expected = c;
  gemm_simple(a_rounded.matrix(), b_rounded.matrix().t(), expected.matrix(), {.beta = 1});
  on_every_target([&] {
    std::vector<Real> memory(static_cast<std::size_t>(packed_panels_size(b.matrix().t(), Precision::kBfloat16)));
    const PackedPanels panels = pack_panels(b.matrix().t(), Precision::kBfloat16, memory.data());
    PaddedRows got = c;
    multiply_panels(a.matrix(), panels, {}, got.matrix(), 1);
    for (std::size_t i = 0; i < c.values.size(); ++i) EXPECT_NEAR(got.values[i], expected.values[i], 1e-3);
  });
}

}  // namespace
}  // namespace dhyan::kernels
