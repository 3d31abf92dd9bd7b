#include "kernels/bfloat16/bfloat16_rows.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

TEST(Bfloat16Rows, AreTheRoundedValuesOfEachRow) {
  Rng rng(1);
  std::vector<Index> lengths = kLengths;
  lengths.insert(lengths.end(), {32, 64, 96});
  for (const Index n : lengths) {
    PaddedRows x(rng, 3, n);
    if (n > 1) x.values[1] = std::numeric_limits<Real>::infinity();
    if (n > 2) x.values[2] = std::numeric_limits<Real>::quiet_NaN();
    if (n > 4) x.values[4] = Real{1e-39};
    on_every_target([&] {
      std::vector<Bfloat16> rounded(static_cast<std::size_t>(3 * n));
      round_to_bfloat16(x.matrix(), rounded.data());
      PaddedRows wide(rng, 3, n);
      widen({rounded.data(), 3, n, n}, wide.matrix());
      for (Index r = 0; r < 3; ++r) {
        for (Index j = 0; j < n; ++j) {
          const Real expected = rounded_to_bfloat16(static_cast<Real>(x.at(r, j)));
          if (std::isnan(expected)) {
            EXPECT_TRUE(std::isnan(wide.at(r, j))) << r << ' ' << j;
          } else {
            EXPECT_EQ(wide.at(r, j), expected) << r << ' ' << j;
          }
        }
      }
    });
  }
}

}  // namespace
}  // namespace dhyan::kernels
