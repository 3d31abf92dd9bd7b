#include "core/shape.h"

#include <gtest/gtest.h>
#include <limits>
#include <sstream>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(Shape, SeesATensorAsRowsAndColumns) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(shape.rank(), 3);
  EXPECT_EQ(shape.size(), 24);
  EXPECT_EQ(shape.rows(), 6);
  EXPECT_EQ(shape.cols(), 4);
  EXPECT_EQ(shape[1], 3);
}

TEST(Shape, HasOneElementForAScalarAndOneRowForAVector) {
  EXPECT_EQ(Shape().rank(), 0);
  EXPECT_EQ(Shape().size(), 1);
  EXPECT_EQ(Shape().rows(), 1);
  EXPECT_EQ(Shape().cols(), 1);
  EXPECT_EQ(Shape({5}).rows(), 1);
  EXPECT_EQ(Shape({5}).cols(), 5);
}

TEST(Shape, MayHaveNoElements) {
  const Shape no_rows{0, 7}, no_cols{7, 0};
  EXPECT_EQ(no_rows.size(), 0);
  EXPECT_EQ(no_rows.cols(), 7);
  EXPECT_EQ(no_cols.size(), 0);
  EXPECT_EQ(no_cols.rows(), 7);
}

TEST(Shape, IsEqualOnlyInRankAndEveryExtent) {
  EXPECT_EQ(Shape({2, 3}), Shape({2, 3}));
  EXPECT_NE(Shape({2, 3}), Shape({3, 2}));
  EXPECT_NE(Shape({6}), Shape({1, 6}));
  EXPECT_NE(Shape(), Shape({0}));
}

TEST(Shape, PrintsAsItIsWrittenInComments) {
  std::ostringstream text;
  text << Shape{2, 3} << Shape{} << Shape{7};
  EXPECT_EQ(text.str(), "[2,3][][7]");
}

TEST(Shape, RefusesNegativeExtentsAndTooManyAxes) {
  const Index large = Index{1} << 31;
  EXPECT_EQ(thrown<ShapeError>([] { Shape{1, 2, 3, 4, 5}; }), "Shape: rank is 5, expected at most 4");
  EXPECT_EQ(thrown<ShapeError>([] { Shape{2, -1}; }), "Shape: extent -1 of axis 1 is negative");
  EXPECT_THROW((Shape{large, large, large}), ShapeError);
}

TEST(Shape, RefusesMoreElementsThanBytesCanBeCounted) {
  EXPECT_THROW((Shape{Index{1} << 62}), ShapeError);
  EXPECT_THROW((Shape{Index{1} << 31, Index{1} << 31}), ShapeError);
  EXPECT_NO_THROW((Shape{Index{1} << 59}));
}

TEST(Shape, ChangesItsColumnsUnderTheSameRules) {
  EXPECT_EQ(Shape({2, 3, 4}).with_cols(9), Shape({2, 3, 9}));
  EXPECT_EQ(Shape({4}).with_cols(0), Shape({0}));
  EXPECT_EQ(thrown<ShapeError>([] { Shape().with_cols(2); }), "Shape::with_cols: a scalar has no columns");
  EXPECT_EQ(thrown<ShapeError>([] { Shape({2, 3}).with_cols(-4); }), "Shape: extent -4 of axis 1 is negative");
  EXPECT_THROW(Shape({4, 1}).with_cols(std::numeric_limits<Index>::max()), ShapeError);
}

TEST(Shape, ExpectationsNameTheOpTheTensorAndBothShapes) {
  EXPECT_EQ(thrown<ShapeError>([] { expect_shape("add", "b", {2, 3}, {2, 4}); }), "add: b is [2,3], expected [2,4]");
  EXPECT_EQ(thrown<ShapeError>([] { expect_rank("bias", "b", {2, 3}, 1); }), "bias: b is [2,3], expected rank 1");
  EXPECT_NO_THROW(expect_shape("add", "b", {2, 3}, {2, 3}));
  EXPECT_NO_THROW(expect_rank("bias", "b", {2}, 1));
}

}  // namespace
}  // namespace dhyan
