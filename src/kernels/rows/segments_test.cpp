#include "kernels/rows/segments.h"

#include <gtest/gtest.h>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using Values = std::vector<Real>;

TEST(SegmentKernels, SumAndAverageTheRowsOfEachSentence) {
  on_every_target([] {
    const Segments segments = Segments::from_lengths({2, 0, 1});
    Values x{1, 2, 3, 4, 5, 6}, s(6, 1);
    segment_sums_add(matrix_of(x, 2), segments, RowWeight::one, matrix_of(s, 2));
    EXPECT_EQ(s, (Values{5, 7, 1, 1, 6, 7}));
    segment_sums_add(matrix_of(x, 2), segments, RowWeight::mean, matrix_of(s, 2));
    EXPECT_EQ(s, (Values{7, 10, 1, 1, 11, 13}));
  });
}

TEST(SegmentKernels, SpreadOneRowOverItsSentence) {
  on_every_target([] {
    const Segments segments = Segments::from_lengths({2, 0, 1});
    Values s{1, 2, 3, 4, 5, 6}, x(6, 10);
    spread_rows_add(matrix_of(s, 2), segments, RowWeight::one, matrix_of(x, 2));
    EXPECT_EQ(x, (Values{11, 12, 11, 12, 15, 16}));
    spread_rows_add(matrix_of(s, 2), segments, RowWeight::mean, matrix_of(x, 2));
    EXPECT_EQ(x, (Values{11.5, 13, 11.5, 13, 20, 22}));
    spread_rows(matrix_of(s, 2), segments, matrix_of(x, 2));
    EXPECT_EQ(x, (Values{1, 2, 1, 2, 5, 6}));
  });
}

TEST(SegmentKernels, MultiplyRowsByTheirSentence) {
  on_every_target([] {
    const Segments segments = Segments::from_lengths({2, 0, 1});
    Values x{1, 2, 3, 4, 5, 6}, s{2, 3, 9, 9, 0, 1}, y(6, 7);
    multiply_segments(matrix_of(x, 2), matrix_of(s, 2), segments, matrix_of(y, 2));
    EXPECT_EQ(y, (Values{2, 6, 6, 12, 0, 6}));
    multiply_segments_add(matrix_of(x, 2), matrix_of(s, 2), segments, matrix_of(y, 2));
    EXPECT_EQ(y, (Values{4, 12, 12, 24, 0, 12}));
  });
}

TEST(SegmentKernels, TakeABatchWithoutSentences) {
  Values none;
  segment_sums_add({none.data(), 0, 2, 2}, Segments(), RowWeight::mean, {none.data(), 0, 2, 2});
  spread_rows({none.data(), 0, 2, 2}, Segments(), {none.data(), 0, 2, 2});
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace dhyan::kernels
