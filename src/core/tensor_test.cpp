#include "core/tensor.h"

#include <cstdint>
#include <gtest/gtest.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(Tensor, WithoutStorageIsEmptyAndHasNoElements) {
  const Tensor none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.size(), 0);
  EXPECT_TRUE(none.clone().empty());
}

TEST(Tensor, OfNoElementsStillHasStorageAndAShape) {
  Arena arena;
  for (const Tensor& tensor : {Tensor::zeros({0, 4}), Tensor::uninitialized({0, 4}), Tensor::of({0, 4}, {}),
                               Tensor::zeros_in(arena, {0, 4})}) {
    EXPECT_FALSE(tensor.empty());
    EXPECT_EQ(tensor.shape(), Shape({0, 4}));
    EXPECT_TRUE(tensor.span().empty());
  }
}

TEST(Tensor, KnowsItsDtypeAndTheBytesItTakes) {
  Arena arena;
  EXPECT_EQ(Tensor::zeros({2, 3}).dtype(), Dtype::kReal);
  EXPECT_EQ(Tensor::zeros({2, 3}).bytes(), 6 * sizeof(Real));
  EXPECT_EQ(Tensor::in(arena, {2, 3}, Dtype::kBfloat16).bytes(), 12u);
  const Tensor int8 = Tensor::in(arena, {2, 3}, Dtype::kInt8);
  EXPECT_EQ(int8.bytes(), 6u);
  EXPECT_FALSE(int8.empty());
  EXPECT_EQ(int8.borrowed().dtype(), Dtype::kInt8);
}

TEST(Tensor, OfAnotherDtypeIsNotReadAsReals) {
  Arena arena;
  for (const Dtype dtype : {Dtype::kBfloat16, Dtype::kInt8}) {
    const Tensor x = Tensor::in(arena, {1, 1}, dtype);
    const std::string expected = cat("Tensor: cannot read ", name_of(dtype), " values");
    EXPECT_EQ(thrown<DtypeError>([&] { x.data(); }), expected);
    EXPECT_EQ(thrown<DtypeError>([&] { x.span(); }), expected);
    EXPECT_EQ(thrown<DtypeError>([&] { x.matrix(); }), expected);
    EXPECT_EQ(thrown<DtypeError>([&] { x.row(0); }), expected);
    EXPECT_EQ(thrown<DtypeError>([&] { x.item(); }), expected);
    EXPECT_EQ(thrown<DtypeError>([&] { x.reshaped({1}); }), expected);
    EXPECT_EQ(thrown<DtypeError>([&] { x.row_range(0, 1); }), expected);
    EXPECT_EQ(thrown<DtypeError>([&] { x.clone(); }), expected);
    EXPECT_EQ(thrown<DtypeError>([&] { x.fill(0); }), expected);
  }
}

TEST(Tensor, HoldsItsNumbersRowByRow) {
  const Tensor x = Tensor::of({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(x.row(1)[0], 4);
  EXPECT_EQ(x.row(1).size(), 3u);
  EXPECT_EQ(x.matrix().row(1)[2], 6);
  EXPECT_EQ(x.matrix().stride, 3);
}

TEST(Tensor, IsAlignedToACacheLineWhereverItLives) {
  Arena arena;
  for (const Tensor& tensor : {Tensor::zeros({3}), Tensor::in(arena, {3}), Tensor::in(arena, {3})}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data()) % Arena::kAlignment, 0u);
  }
}

TEST(Tensor, SharesItsStorageWithCopiesAndViewsButNotWithAClone) {
  const Tensor x = Tensor::zeros({2, 2});
  const Tensor copy = x, flat = x.reshaped({4}), second = x.row_range(1, 2), clone = x.clone();
  x.data()[2] = 7;
  EXPECT_EQ(copy.data()[2], 7);
  EXPECT_EQ(flat.data()[2], 7);
  EXPECT_EQ(second.data()[0], 7);
  EXPECT_EQ(clone.data()[2], 0);
}

TEST(Tensor, KeepsOwnedStorageAliveThroughAView) {
  Tensor view;
  {
    const Tensor x = Tensor::of({2, 1}, {3, 4});
    view = x.row_range(1, 2);
  }
  EXPECT_EQ(view.item(), 4);
}

TEST(Tensor, RowRangeMayBeEmptyAtEitherEnd) {
  const Tensor x = Tensor::zeros({2, 3});
  EXPECT_EQ(x.row_range(0, 0).shape(), Shape({0, 3}));
  EXPECT_EQ(x.row_range(2, 2).shape(), Shape({0, 3}));
}

TEST(Tensor, FillsEveryElement) {
  const Tensor x = Tensor::zeros({2, 2});
  x.fill(5);
  for (const Real value : x.span()) EXPECT_EQ(value, 5);
}

TEST(Tensor, OfAnOldStepIsNotReusedWhileItsArenaIsNotReset) {
  Arena arena;
  const Tensor first = Tensor::zeros_in(arena, {4}), second = Tensor::zeros_in(arena, {4});
  second.fill(1);
  for (const Real value : first.span()) EXPECT_EQ(value, 0);
}

TEST(Tensor, NamesTheShapesThatDoNotFit) {
  const Tensor x = Tensor::zeros({2, 3});
  EXPECT_EQ(thrown<ShapeError>([] { Tensor::of({2, 2}, {1, 2, 3}); }), "Tensor::of: 3 values for shape [2,2] of 4");
  EXPECT_EQ(thrown<ShapeError>([&] { x.reshaped({4, 2}); }), "Tensor::reshaped: [2,3] has 6 elements, [4,2] has 8");
  EXPECT_EQ(thrown<ShapeError>([&] { x.row(2); }), "Tensor::row: row 2 of a tensor [2,3]");
  EXPECT_EQ(thrown<ShapeError>([&] { x.row_range(1, 3); }), "Tensor::row_range: rows 1..3 of a tensor [2,3]");
  EXPECT_EQ(thrown<ShapeError>([&] { x.item(); }), "Tensor::item: shape is [2,3], expected one element");
  EXPECT_THROW(x.row(-1), ShapeError);
  EXPECT_THROW(x.row_range(2, 1), ShapeError);
  EXPECT_THROW(Tensor().item(), ShapeError);
}

}  // namespace
}  // namespace dhyan
