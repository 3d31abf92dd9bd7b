#include "kernels/gemm/packed_matrix.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

#include "core/error.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/unpacked_gemm.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

TEST(PackedMatrix, MultipliesLikePlainLoops) {
  Rng rng(1);
  on_every_target([&] {
    for (const Index M : {1, 2, 12, 13, 30, 70}) {
      for (const Index O : {1, 15, 16, 17, 32, 33, 70}) {
        for (const bool transposed : {false, true}) {
          PaddedRows x(rng, M, 9), w(rng, transposed ? O : 9, transposed ? 9 : O), y(rng, M, O);
          const ConstMatrix weight = transposed ? w.matrix().t() : ConstMatrix(w.matrix());
          const std::vector<Real> bias = random_values(rng, O);
          std::vector<Real> expected(static_cast<std::size_t>(M * O));
          gemm_simple(x.matrix(), weight, matrix_of(expected, O), {.bias = bias});
          for (const Precision precision : {Precision::kFull, Precision::kSplitBfloat16}) {
            PackedMatrix(weight, precision).multiply(x.matrix(), bias, y.matrix());
            for (Index i = 0; i < M * O; ++i) {
              EXPECT_NEAR(y.at(i / O, i % O), expected[static_cast<std::size_t>(i)], 40 * kTolerance);
            }
          }
        }
      }
    }
  });
}

TEST(PackedMatrix, DoesNotDependOnWhatItsMemoryHeldBefore) {
  Rng rng(5);
  const Index M = 13, I = 9, O = 17;
  PaddedRows x(rng, M, I), w(rng, I, O);
  std::vector<Real> expected(static_cast<std::size_t>(M * O)), y = expected;
  on_every_target([&] {
    for (const Precision precision : {Precision::kFull, Precision::kSplitBfloat16}) {
      const Tensor memory = Tensor::uninitialized({packed_panels_size(w.matrix(), precision)});
      for (const auto& [held, result] :
           {std::pair(Real(0), &expected), std::pair(std::numeric_limits<Real>::quiet_NaN(), &y)}) {
        memory.fill(held);
        multiply_panels(x.matrix(), pack_panels(w.matrix(), precision, memory.data()), {}, matrix_of(*result, O));
      }
      EXPECT_EQ(y, expected);
    }
  });
}

// Rows at a stride of whole pages are packed, chunk by chunk.
TEST(PackedMatrix, GivesTheSameBytesForRowsThatArePagesApart) {
  Rng rng(4);
  const Index M = 110, I = 1024, O = 40;
  std::vector<Real> far = random_values(rng, M * I), weights = random_values(rng, I * O);
  std::vector<Real> near(static_cast<std::size_t>(M * (I + 8))), y(static_cast<std::size_t>(M * O)), expected = y;
  for (Index r = 0; r < M; ++r) std::copy_n(far.begin() + r * I, I, near.begin() + r * (I + 8));
  on_every_target([&] {
    const PackedMatrix w(matrix_of(weights, O));
    w.multiply(matrix_of(far, I), {}, matrix_of(y, O));
    w.multiply({near.data(), M, I, I + 8}, {}, matrix_of(expected, O));
    EXPECT_EQ(y, expected);
  });
}

TEST(PackedMatrix, WritesOnlyItsColumns) {
  Rng rng(2);
  PaddedRows x(rng, 3, 4), w(rng, 4, 5), y(rng, 3, 5);
  const std::vector<Real> before = y.values;
  PackedMatrix(w.matrix()).multiply(x.matrix(), {}, y.matrix());
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (static_cast<Index>(i) % y.stride < 5) continue;
    EXPECT_EQ(y.values[i], before[i]);
  }
}

TEST(PackedMatrix, RefusesShapesThatDoNotMatch) {
  Rng rng(3);
  PaddedRows x(rng, 3, 4), w(rng, 5, 5), y(rng, 3, 5);
  EXPECT_THROW(PackedMatrix(w.matrix()).multiply(x.matrix(), {}, y.matrix()), ShapeError);
  EXPECT_THROW(multiply_unpacked(x.matrix(), w.matrix(), {}, y.matrix()), ShapeError);
}

}  // namespace
}  // namespace dhyan::kernels
