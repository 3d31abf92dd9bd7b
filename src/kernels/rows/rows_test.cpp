#include "kernels/rows/rows.h"

#include <gtest/gtest.h>

#include "kernels/elementwise/elementwise.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using Values = std::vector<Real>;
using Ids = std::vector<RowId>;

TEST(Rows, CopiesAndAddsBlocksOfColumns) {
  on_every_target([] {
    Values x{1, 2, 3, 4, 5, 6}, y(8, 10);
    copy_rows({x.data() + 1, 2, 2, 3}, {y.data() + 2, 2, 2, 4});
    EXPECT_EQ(y, (Values{10, 10, 2, 3, 10, 10, 5, 6}));
    add_rows({x.data(), 2, 2, 3}, {y.data(), 2, 2, 4});
    EXPECT_EQ(y, (Values{11, 12, 2, 3, 14, 15, 5, 6}));
  });
}

TEST(Rows, GathersByIdWithZerosForNegativeIds) {
  on_every_target([] {
    Values x{1, 2, 3, 4, 5, 6}, y(8, 10);
    gather_rows(matrix_of(x, 2), Ids{2, 0, -1, 2}, matrix_of(y, 2));
    EXPECT_EQ(y, (Values{5, 6, 1, 2, 0, 0, 5, 6}));
    gather_rows_add(matrix_of(x, 2), Ids{1, -1, 1, 0}, matrix_of(y, 2));
    EXPECT_EQ(y, (Values{8, 10, 1, 2, 3, 4, 6, 8}));
  });
}

TEST(Rows, GathersColumnsById) {
  Values x{1, 2, 3, 4, 5, 6}, y(8, 10);
  gather_columns(matrix_of(x, 3), Ids{2, 0, 2, 1}, matrix_of(y, 4));
  EXPECT_EQ(y, (Values{3, 1, 3, 2, 6, 4, 6, 5}));
}

TEST(Rows, AddsGatheredRowsToScaledRowsAsTwoPassesWould) {
  on_every_target([] {
    Rng rng(6);
    for (const Index cols : kLengths) {
      if (cols == 0) continue;
      Values x = random_values(rng, 3 * cols), from = random_values(rng, 2 * cols), expected(x.size());
      scale(x, Real(1.7), expected);
      gather_rows_add(matrix_of(from, cols), Ids{1, 0, 1}, matrix_of(expected, cols));
      add_gathered_to_scaled(matrix_of(x, cols), Real(1.7), matrix_of(from, cols), Ids{1, 0, 1}, matrix_of(x, cols));
      EXPECT_EQ(x, expected) << cols;
    }
  });
}

TEST(Rows, ScattersIntoSumsAndSkipsNegativeIds) {
  on_every_target([] {
    Values x{1, 2, 3, 4, 5, 6}, y(4, 10);
    scatter_rows_add(matrix_of(x, 2), Ids{1, -1, 1}, matrix_of(y, 2));
    EXPECT_EQ(y, (Values{10, 10, 16, 18}));
  });
}

TEST(Rows, WorksAtEveryWidth) {
  on_every_target([] {
    Rng rng(6);
    for (const Index cols : kLengths) {
      if (cols == 0) continue;
      Values x = random_values(rng, 3 * cols), gathered(x.size(), 0), scattered(x.size(), 0);
      gather_rows_add(matrix_of(x, cols), Ids{2, 0, 1}, matrix_of(gathered, cols));
      scatter_rows_add(matrix_of(gathered, cols), Ids{2, 0, 1}, matrix_of(scattered, cols));
      EXPECT_EQ(scattered, x) << cols;
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels
