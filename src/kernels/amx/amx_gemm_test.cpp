#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/bfloat16/bfloat16.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/packed_matrix.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

ConstMatrix seen_as(PaddedRows& stored, bool transposed) {
  return transposed ? stored.matrix().t() : ConstMatrix(stored.matrix());
}

Real element(const ConstMatrix& m, Index i, Index j) { return m.transposed ? m.row(j)[i] : m.row(i)[j]; }

#if DHYAN_HAS_AMX

PaddedRows packed_gemm(const ConstMatrix& a, const ConstMatrix& b, const PaddedRows& like, Precision precision) {
  PaddedRows y = like;
  PackedMatrix(b, precision).multiply(a, {}, y.matrix());
  return y;
}

// bf16x3: three parts of 8 bits each that add up to x.
std::array<float, 3> parts_of(float x) {
  std::array<float, 3> parts{};
  for (float& part : parts) {
    part = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xffff0000);
    x -= part;
  }
  return parts;
}

// One dot product of 32 bfloat16 as AMX computes it (amx.h): values 16 apart along k form a pair.
float sum_of_block(const std::array<float, 32>& a, const std::array<float, 32>& b) {
  float first = 0, second = 0;
  for (std::size_t i = 0; i < 16; ++i)
    first = std::fma(a[i], b[i], first), second = std::fma(a[i + 16], b[i + 16], second);
  return first + second;
}

// One element of the GEMM by loops, in the order of AMX.
float amx_sum(const ConstMatrix& a, const ConstMatrix& b, Index row, Index column, Precision precision) {
  constexpr std::array<std::pair<std::size_t, std::size_t>, 6> kPairs{{{2, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}, {0, 0}}};
  float sum = 0;
  for (Index k = 0; k < a.n(); k += 32) {
    std::array<std::array<float, 32>, 3> x{}, w{};
    for (Index i = 0; i < 32 && k + i < a.n(); ++i) {
      const float from_a = element(a, row, k + i), from_b = element(b, k + i, column);
      for (std::size_t part = 0; part < 3; ++part) {
        const bool rounded = precision == Precision::kBfloat16;
        x[part][static_cast<std::size_t>(i)] = rounded ? rounded_to_bfloat16(from_a) : parts_of(from_a)[part];
        w[part][static_cast<std::size_t>(i)] = rounded ? rounded_to_bfloat16(from_b) : parts_of(from_b)[part];
      }
    }
    if (precision == Precision::kBfloat16) {
      sum += sum_of_block(x[0], w[0]);
    } else {
      for (const auto& [of_a, of_b] : kPairs) sum += sum_of_block(x[of_a], w[of_b]);
    }
  }
  return sum;
}

TEST(AmxGemm, GivesTheBytesOfPlainLoops) {
  Rng rng(1);
  for (const auto& [m, n, k] : std::vector<std::array<Index, 3>>{
           {1, 1, 1}, {3, 33, 17}, {16, 32, 32}, {17, 5, 100}, {33, 70, 31}, {70, 40, 256}}) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        PaddedRows a(rng, ta ? k : m, ta ? m : k), b(rng, tb ? n : k, tb ? k : n), c(rng, m, n);
        on_every_target([&, &m = m, &n = n] {
          for (const Precision precision : {Precision::kBfloat16, Precision::kSplitBfloat16}) {
            if (!uses_amx()) return;
            gemm(seen_as(a, ta), seen_as(b, tb), c.matrix(), {.precision = precision});
            for (Index i = 0; i < m; ++i) {
              for (Index j = 0; j < n; ++j) {
                ASSERT_EQ(c.at(i, j), amx_sum(seen_as(a, ta), seen_as(b, tb), i, j, precision)) << i << "," << j;
              }
            }
            if (ta) continue;
            EXPECT_EQ(packed_gemm(a.matrix(), seen_as(b, tb), c, precision).values, c.values);
          }
        });
      }
    }
  }
}

#endif  // DHYAN_HAS_AMX

struct Errors {
  double largest = 0, squares = 0;
};

// Errors of the sums, relative to the sums of absolute values.
Errors errors_of(const ConstMatrix& a, const ConstMatrix& b, PaddedRows& c) {
  Errors errors;
  for (Index i = 0; i < a.m(); ++i) {
    for (Index j = 0; j < b.n(); ++j) {
      double exact = 0, sizes = 0;
      for (Index k = 0; k < a.n(); ++k) {
        const double product = static_cast<double>(element(a, i, k)) * static_cast<double>(element(b, k, j));
        exact += product, sizes += std::abs(product);
      }
      const double error = std::abs(static_cast<double>(c.at(i, j)) - exact) / sizes;
      errors.largest = std::max(errors.largest, error), errors.squares += error * error;
    }
  }
  return errors;
}

TEST(SplitBfloat16, GemmIsAboutAsExactAsInFloat) {
  Rng rng(3);
  for (const Index K : {32, 128, 512, 2100}) {
    PaddedRows a(rng, 40, K), b(rng, K, 50), c(rng, 40, 50);
    gemm(a.matrix(), b.matrix(), c.matrix());
    const Errors whole = errors_of(a.matrix(), b.matrix(), c);
    on_every_target([&] {
      gemm(a.matrix(), b.matrix(), c.matrix(), {.precision = Precision::kSplitBfloat16});
      const Errors split = errors_of(a.matrix(), b.matrix(), c);
      EXPECT_LE(split.largest, 1.5 * whole.largest) << K;
      EXPECT_LE(split.squares, 2.25 * whole.squares) << K;
    });
  }
}

TEST(SplitBfloat16, KeepsAllBitsOfValuesOfVeryDifferentSizes) {
  constexpr Index kSize = 40;
  Rng rng(4);
  PaddedRows a(rng, kSize, kSize), identity(rng, kSize, kSize), c(rng, kSize, kSize);
  for (Real& x : a.values) x = std::ldexp(x, static_cast<int>(rng.below(180)) - 80);  // so that no part is denormal
  for (Index i = 0; i < kSize; ++i) {
    for (Index j = 0; j < kSize; ++j) identity.matrix().row(i)[j] = i == j ? 1 : 0;
  }
  on_every_target([&] {
    gemm(a.matrix(), identity.matrix(), c.matrix(), {.precision = Precision::kSplitBfloat16});
    for (Index i = 0; i < kSize; ++i) {
      for (Index j = 0; j < kSize; ++j) ASSERT_EQ(c.at(i, j), a.at(i, j));
    }
  });
}

TEST(SplitBfloat16, KeepsNanAndInfinity) {
  Rng rng(5);
  PaddedRows a(rng, 20, 40), b(rng, 40, 20), c(rng, 20, 20);
  a.matrix().row(3)[7] = std::numeric_limits<Real>::quiet_NaN();
  a.matrix().row(5)[1] = std::numeric_limits<Real>::infinity();
  on_every_target([&] {
    gemm(a.matrix(), b.matrix(), c.matrix(), {.precision = Precision::kSplitBfloat16});
    for (Index i = 0; i < 20; ++i) {
      for (Index j = 0; j < 20; ++j) {
        EXPECT_EQ(std::isfinite(c.at(i, j)), i != 3 && i != 5);
        EXPECT_TRUE(i != 3 || std::isnan(c.at(i, j)));
      }
    }
  });
}

TEST(SplitBfloat16, GemmEqualsPlainLoopsInAllTransposesAndScales) {
  Rng rng(6);
  for (const auto& [m, n, k] :
       std::vector<std::array<Index, 3>>{{1, 1, 1}, {17, 33, 65}, {64, 1, 20}, {40, 1100, 9}, {110, 20, 2101}}) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        PaddedRows a(rng, ta ? k : m, ta ? m : k, 3, 1), b(rng, tb ? n : k, tb ? k : n, 2, 1), c(rng, m, n, 1, 1);
        PaddedRows expected = c, expected_epilogue = c;
        const std::vector<Real> bias = random_values(rng, n);
        GemmOptions scaled{.alpha = 0.5, .beta = 2}, with_epilogue{.bias = bias, .relu = true};
        gemm_simple(seen_as(a, ta), seen_as(b, tb), expected.matrix(), scaled);
        gemm_simple(seen_as(a, ta), seen_as(b, tb), expected_epilogue.matrix(), with_epilogue);
        scaled.precision = with_epilogue.precision = Precision::kSplitBfloat16;
        on_every_target([&] {
          PaddedRows got = c, got_epilogue = c;
          gemm(seen_as(a, ta), seen_as(b, tb), got.matrix(), scaled);
          gemm(seen_as(a, ta), seen_as(b, tb), got_epilogue.matrix(), with_epilogue);
          for (std::size_t i = 0; i < c.values.size(); ++i) {
            ASSERT_NEAR(got.values[i], expected.values[i], 2e-4);
            ASSERT_NEAR(got_epilogue.values[i], expected_epilogue.values[i], 2e-4);
          }
        });
      }
    }
  }
}

TEST(SplitBfloat16, GemmRowsDoNotDependOnTheirNeighbours) {
  Rng rng(7);
  PaddedRows a(rng, 500, 777), b(rng, 777, 45), c(rng, 500, 45), alone(rng, 1, 45);
  on_every_target([&] {
    const PackedMatrix packed(b.matrix(), Precision::kSplitBfloat16);
    packed.multiply(a.matrix(), {}, c.matrix());
    for (const Index i : {0, 1, 15, 16, 31, 320, 351, 499}) {
      packed.multiply({a.matrix().row(i), 1, 777, a.stride}, {}, alone.matrix());
      for (Index j = 0; j < 45; ++j) EXPECT_EQ(alone.at(0, j), c.at(i, j)) << i << "," << j;
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels
