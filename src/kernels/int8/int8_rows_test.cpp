#include "kernels/int8/int8_rows.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

Int8Matrix int8_of(const ConstMatrix& w, float activation = 0) {
  std::vector<std::int8_t> values(static_cast<std::size_t>(w.rows * w.cols));
  std::vector<float> scales(static_cast<std::size_t>(w.n()));
  quantize(w, values, scales);
  return Int8Matrix({values.data(), w.rows, w.cols, w.transposed, scales, activation});
}

TEST(Int8Rows, GiveTheBytesOfTheColumnsOfTheWholeProductOnEveryTarget) {
  Rng rng(1);
  for (const Index I : {1, 4, 63, 64, 65, 256}) {
    for (const bool transposed : {false, true}) {
      for (const float activation : {0.0F, 17.5F}) {
        constexpr Index O = 75;
        std::vector<Real> values = random_values(rng, I * O);
        const ConstMatrix stored = matrix_of(values, transposed ? I : O);
        PaddedRows x(rng, 5, I);
        for (const std::vector<Real>& bias : {random_values(rng, O), std::vector<Real>()}) {
          on_every_target([&] {
            const Int8Matrix w = int8_of(transposed ? stored.t() : stored, activation);
            const Int8Rows rows(w);
            std::vector<Real> all(5 * O);
            w.multiply(x.matrix(), bias, matrix_of(all, O));
            for (const std::vector<RowId>& outputs :
                 {std::vector<RowId>{0, 1, 31, 32, 33, 74}, std::vector<RowId>{7}, std::vector<RowId>{}}) {
              const Index n = std::ssize(outputs);
              std::vector<Real> some(static_cast<std::size_t>(5 * n)), expected;
              rows.multiply(x.matrix(), bias, outputs, {some.data(), 5, n, n});
              for (std::size_t r = 0; r < 5; ++r) {
                for (const RowId j : outputs) expected.push_back(all[r * O + static_cast<std::size_t>(j)]);
              }
              EXPECT_EQ(some, expected) << I << " inputs, " << n << " outputs";
            }
          });
        }
      }
    }
  }
}

TEST(Int8Rows, RefuseShapesThatDoNotMatch) {
  Rng rng(2);
  PaddedRows w(rng, 9, 4), x(rng, 2, 5);
  const Int8Matrix matrix = int8_of(w.matrix().t());
  const Int8Rows rows(matrix);
  std::vector<Real> y(4);
  const std::vector<RowId> outputs{0, 3};
  EXPECT_THROW(rows.multiply(x.matrix(), {}, outputs, matrix_of(y, 2)), ShapeError);
  PaddedRows fits(rng, 2, 4);
  EXPECT_THROW(rows.multiply(fits.matrix(), {}, outputs, {y.data(), 2, 1, 1}), ShapeError);
  EXPECT_THROW(rows.multiply(fits.matrix(), y, outputs, matrix_of(y, 2)), ShapeError);
  EXPECT_NO_THROW(rows.multiply(fits.matrix(), {}, outputs, matrix_of(y, 2)));
}

}  // namespace
}  // namespace dhyan::kernels
