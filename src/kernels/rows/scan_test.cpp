#include "kernels/rows/scan.h"

#include <gtest/gtest.h>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

TEST(ScanKernel, MixesEachRowIntoTheStateOfItsSentence) {
  on_every_target([] {
    const Segments segments = Segments::from_lengths({2, 0, 1});
    std::vector<Real> x{4, 8, 2, 6, 1, 1}, f{0.5, 0, 0.5, 1, 0.25, 0.75}, start{2, 9, 9, 9, 5, 5}, c(6);
    gated_scan({matrix_of(x, 2), matrix_of(f, 2), matrix_of(start, 2)}, segments, matrix_of(c, 2));
    EXPECT_EQ(c, (std::vector<Real>{3, 8, 2.5, 8, 2, 4}));
  });
}

TEST(ScanKernel, IsAPlainLoopOnRowsOfEveryWidth) {
  on_every_target([] {
    for (const Index H : kLengths) {
      if (H == 0) continue;
      const Segments segments = Segments::from_lengths({3, 1});
      Rng rng(7);
      std::vector<Real> x = random_values(rng, 4 * H), f = random_values(rng, 4 * H, 0, 1),
                        start = random_values(rng, 2 * H), c(x.size());
      gated_scan({matrix_of(x, H), matrix_of(f, H), matrix_of(start, H)}, segments, matrix_of(c, H));
      std::vector<double> expected;
      for (std::size_t i = 0; i < c.size(); ++i) {
        const auto width = static_cast<std::size_t>(H), row = i / width;
        const double before = row == 0 ? start[i] : row == 3 ? start[i - 2 * width] : expected[i - width];
        expected.push_back(f[i] * before + (1 - f[i]) * x[i]);
      }
      expect_near(c, expected, kTolerance);
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels
