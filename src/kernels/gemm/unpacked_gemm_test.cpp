#include "kernels/gemm/unpacked_gemm.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "kernels/gemm/packed_matrix.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

TEST(UnpackedGemm, GivesTheBytesOfAPackedWeight) {
  Rng rng(1);
  for (const Index M : {1, 5, 24, 25, 40}) {
    for (const auto& [I, O] : std::vector<std::pair<Index, Index>>{{1, 1}, {33, 70}, {130, 600}}) {
      for (const bool transposed : {false, true}) {
        PaddedRows x(rng, M, I), w(rng, transposed ? O : I, transposed ? I : O), y(rng, M, O), expected(rng, M, O);
        const ConstMatrix weight = transposed ? w.matrix().t() : ConstMatrix(w.matrix());
        const std::vector<Real> bias = random_values(rng, O);
        on_every_target([&, &O = O] {
          for (const Precision precision : {Precision::kFull, Precision::kSplitBfloat16}) {
            PackedMatrix(weight, precision).multiply(x.matrix(), bias, expected.matrix());
            multiply_unpacked(x.matrix(), weight, bias, y.matrix(), precision);
            for (Index i = 0; i < M * O; ++i) ASSERT_EQ(y.at(i / O, i % O), expected.at(i / O, i % O)) << i;
          }
        });
      }
    }
  }
}

TEST(UnpackedGemm, RefusesShapesThatDoNotMatch) {
  Rng rng(2);
  PaddedRows x(rng, 3, 4), w(rng, 5, 6), y(rng, 3, 6);
  EXPECT_THROW(multiply_unpacked(x.matrix(), w.matrix(), {}, y.matrix()), ShapeError);
}

}  // namespace
}  // namespace dhyan::kernels
