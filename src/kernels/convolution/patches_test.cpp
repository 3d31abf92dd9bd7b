#include "kernels/convolution/patches.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "kernels/testing/naive_windows.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

std::vector<Real> zeros_of(Index n) { return std::vector<Real>(static_cast<std::size_t>(n)); }

std::vector<Real> plain_patches(const std::vector<Real>& x, const Windows& w, Index C) {
  const Index taps = w.kernel * w.kernel;
  std::vector<Real> patches = zeros_of(w.rows() * taps * C);
  each_tap(w, [&](Index window, Index tap, Index cell) {
    std::copy_n(x.begin() + cell * C, C, patches.begin() + (window * taps + tap) * C);
  });
  return patches;
}

TEST(Patches, AreTheCellsOfTheirWindowsAndZerosAround) {
  on_every_target([] {
    Rng rng(1);
    for (const Windows& w : sample_windows()) {
      for (const Index C : {1, 3, 17}) {
        const Index values = w.kernel * w.kernel * C;
        std::vector<Real> x = random_values(rng, w.pictures * w.in.cells() * C), all(plain_patches(x, w, C));
        std::vector<Real> got(all.size(), 77);
        for_patch_blocks(matrix_of(x, C), w, [&](ConstMatrix patches, Index first) {
          for (Index r = 0; r < patches.rows; ++r)
            std::copy_n(patches.row(r), values, got.begin() + (first + r) * values);
        });
        EXPECT_EQ(got, all);
        gather_patches(matrix_of(x, C), w, w.rows() / 2, {got.data(), w.rows() - w.rows() / 2, values, values});
        EXPECT_TRUE(std::equal(all.begin() + w.rows() / 2 * values, all.end(), got.begin()));
      }
    }
  });
}

TEST(Patches, AreAddedToTheCellsTheyComeFrom) {
  on_every_target([] {
    Rng rng(2);
    for (const Windows& w : sample_windows()) {
      for (const Index C : {2, 19}) {
        const Index taps = w.kernel * w.kernel;
        std::vector<Real> patches = random_values(rng, w.rows() * taps * C);
        std::vector<Real> x(zeros_of(w.pictures * w.in.cells() * C));
        std::vector<double> expected(x.size());
        each_tap(w, [&](Index window, Index tap, Index cell) {
          for (Index c = 0; c < C; ++c)
            expected[static_cast<std::size_t>(cell * C + c)] +=
                patches[static_cast<std::size_t>((window * taps + tap) * C + c)];
        });
        const auto fill = [&](Matrix block, Index first) {
          for (Index r = 0; r < block.rows; ++r)
            std::copy_n(patches.begin() + (first + r) * taps * C, taps * C, block.row(r));
        };
        add_patch_blocks(w, fill, matrix_of(x, C));
        expect_near(x, expected, 4 * kTolerance);
      }
    }
  });
}

TEST(Patches, ComeInBlocksThatStayInTheCache) {
  const Windows w{{40, 50}, {40, 50}, 1, 3, 1, 1, 1};
  std::vector<Real> x(static_cast<std::size_t>(w.in.cells() * 64), 1);
  Index blocks = 0, seen = 0;
  for_patch_blocks(matrix_of(x, 64), w, [&](ConstMatrix patches, Index first) {
    EXPECT_EQ(first, seen);
    EXPECT_LE(patches.rows * patches.stride, 100000);
    seen += patches.rows, ++blocks;
  });
  EXPECT_EQ(seen, w.rows());
  EXPECT_GT(blocks, 10);
}

}  // namespace
}  // namespace dhyan::kernels
