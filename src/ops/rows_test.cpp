#include "ops/rows.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/arithmetic.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

using Ids = std::vector<RowId>;
using Inputs = std::vector<Var>;
using Reals = std::vector<Real>;

class Rows : public testing::Test {
 protected:
  Var constant(const Shape& shape, std::initializer_list<Real> values) {
    return scope_.constant(Tensor::of(shape, values));
  }
  Var zeros(const Shape& shape) { return scope_.constant(Tensor::zeros(shape)); }

  Arena arena_;
  Scope scope_{arena_};
  Rng rng_{12};
  const Segments segments_ = Segments::from_lengths({2, 0, 1});
};

TEST_F(Rows, SlicesAndReshapesWithoutCopying) {
  const Var x = constant({3, 2}, {1, 2, 3, 4, 5, 6});
  const Var middle = slice_rows(x, 1, 3), flat = reshape(x, {6});
  EXPECT_EQ(values(middle), (Reals{3, 4, 5, 6}));
  EXPECT_EQ(middle.shape(), (Shape{2, 2}));
  EXPECT_EQ(middle.value().data(), x.value().data() + 2);
  EXPECT_EQ(flat.value().data(), x.value().data());
  EXPECT_EQ(flat.shape(), Shape{6});
  EXPECT_EQ(slice_rows(x, 3, 3).shape(), (Shape{0, 2}));
}

TEST_F(Rows, SlicesSplitsAndJoinsColumns) {
  const Var x = constant({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(values(slice_cols(x, 1, 3)), (Reals{2, 3, 6, 7}));
  EXPECT_EQ(slice_cols(x, 2, 2).shape(), (Shape{2, 0}));
  const auto [left, right] = split_cols<2>(x);
  EXPECT_EQ(values(left), (Reals{1, 2, 5, 6}));
  EXPECT_EQ(values(right), (Reals{3, 4, 7, 8}));
  EXPECT_EQ(values(concat_cols({right, left, right})), (Reals{3, 4, 1, 2, 3, 4, 7, 8, 5, 6, 7, 8}));
  EXPECT_EQ(values(concat_cols({left})), values(left));
  EXPECT_EQ(concat_cols({reshape(left, {1, 2, 2}), right}).shape(), (Shape{1, 2, 4}));
  EXPECT_EQ(concat_cols({zeros({0, 2}), zeros({0, 3})}).shape(), (Shape{0, 5}));
}

TEST_F(Rows, JoinsGathersAndScattersRows) {
  const Var x = constant({2, 2}, {1, 2, 3, 4}), y = constant({1, 2}, {5, 6});
  EXPECT_EQ(values(concat_rows({y, x, zeros({0, 2})})), (Reals{5, 6, 1, 2, 3, 4}));
  EXPECT_EQ(values(gather_rows(x, Ids{1, 1, 0})), (Reals{3, 4, 3, 4, 1, 2}));
  EXPECT_EQ(gather_rows(x, Ids{}).shape(), (Shape{0, 2}));
  EXPECT_EQ(values(scatter_rows(x, Ids{2, 0}, 4)), (Reals{3, 4, 0, 0, 1, 2, 0, 0}));
  EXPECT_EQ(values(scatter_rows(zeros({0, 2}), Ids{}, 1)), (Reals{0, 0}));
}

TEST_F(Rows, MovesBetweenSentencesAndTheirRows) {
  const Var x = constant({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values(first_rows(x, segments_)), (Reals{1, 2, 0, 0, 5, 6}));
  EXPECT_EQ(values(last_rows(x, segments_)), (Reals{3, 4, 0, 0, 5, 6}));
  EXPECT_EQ(values(repeat_rows(x, segments_)), (Reals{1, 2, 1, 2, 5, 6}));
  EXPECT_EQ(last_rows(zeros({0, 2}), Segments()).shape(), (Shape{0, 2}));
  EXPECT_EQ(repeat_rows(zeros({1, 2}), Segments::one(0)).shape(), (Shape{0, 2}));
}

TEST_F(Rows, HasTheRightJacobians) {
  const std::vector<Tensor> one{random_tensor(rng_, {3, 4})};
  const std::vector<Tensor> beside{random_tensor(rng_, {2, 3}), random_tensor(rng_, {2, 1})};
  const std::vector<Tensor> below{random_tensor(rng_, {2, 3}), random_tensor(rng_, {1, 3})};
  const auto expect = [](const DifferentiableFunction& f, const std::vector<Tensor>& inputs) {
    EXPECT_EQ(jacobian_mismatch(f, inputs), "");
  };
  expect([](Scope&, const Inputs& in) { return slice_rows(in[0], 1, 3); }, one);
  expect([](Scope&, const Inputs& in) { return slice_rows(scale(in[0], 2), 1, 3); }, one);
  expect([](Scope&, const Inputs& in) { return reshape(scale(in[0], 2), {2, 6}); }, one);
  expect([](Scope&, const Inputs& in) { return slice_cols(in[0], 1, 3); }, one);
  expect([](Scope&, const Inputs& in) { return concat_cols(in); }, beside);
  expect([](Scope&, const Inputs& in) { return concat_rows(in); }, below);
  expect([](Scope&, const Inputs& in) { return gather_rows(in[0], Ids{2, 0, 2}); }, one);
  expect([](Scope&, const Inputs& in) { return scatter_rows(in[0], Ids{4, 0, 1}, 5); }, one);
  expect([this](Scope&, const Inputs& in) { return first_rows(in[0], segments_); }, one);
  expect([this](Scope&, const Inputs& in) { return last_rows(in[0], segments_); }, one);
  expect([this](Scope&, const Inputs& in) { return repeat_rows(in[0], segments_); }, one);
}

TEST_F(Rows, AccumulateWhereAnInputIsUsedTwice) {
  const std::vector<Tensor> one{random_tensor(rng_, {3, 4})};
  const auto expect = [&one](const DifferentiableFunction& f) { EXPECT_EQ(jacobian_mismatch(f, one), ""); };
  expect([](Scope&, const Inputs& in) { return multiply(slice_rows(in[0], 0, 2), slice_rows(in[0], 1, 3)); });
  expect([](Scope&, const Inputs& in) {
    const Var x = scale(in[0], 2);
    return multiply(add(x, reshape(x, {3, 4})), x);
  });
  expect([](Scope&, const Inputs& in) {
    const auto [a, b] = split_cols<2>(in[0]);
    return concat_cols({a, multiply(a, b), a});
  });
  expect([](Scope&, const Inputs& in) { return concat_rows({in[0], in[0]}); });
  expect([](Scope&, const Inputs& in) {
    return multiply(gather_rows(in[0], Ids{0, 0}), gather_rows(in[0], Ids{0, 1}));
  });
  expect([](Scope&, const Inputs& in) {
    return multiply(scatter_rows(in[0], Ids{1, 0, 2}, 3), scatter_rows(in[0], Ids{0, 1, 2}, 3));
  });
  expect([this](Scope&, const Inputs& in) {
    return multiply(repeat_rows(in[0], segments_), repeat_rows(last_rows(in[0], segments_), segments_));
  });
}

TEST_F(Rows, PassesOverConstants) {
  const Tensor held = random_tensor(rng_, {3, 4});
  const std::vector<Tensor> one{random_tensor(rng_, {3, 4})};
  EXPECT_EQ(jacobian_mismatch(
                [&](Scope& s, const Inputs& in) {
                  return concat_cols({s.constant(held), in[0]});
                },
                one),
            "");
  EXPECT_EQ(jacobian_mismatch(
                [&](Scope& s, const Inputs& in) {
                  return concat_rows({s.constant(held), in[0]});
                },
                one),
            "");
}

TEST_F(Rows, NamesTheShapesThatDoNotFit) {
  const Var x = zeros({3, 4}), y = zeros({2, 5});
  const auto message = [](const auto& f) { return thrown<ShapeError>(f); };
  EXPECT_EQ(message([&] { slice_rows(x, 2, 4); }), "slice_rows: 2..4 of x [3,4], expected a range within 0..3");
  EXPECT_EQ(message([&] { slice_rows(x, 2, 1); }), "slice_rows: 2..1 of x [3,4], expected a range within 0..3");
  EXPECT_EQ(message([&] { slice_cols(x, -1, 4); }), "slice_cols: -1..4 of x [3,4], expected a range within 0..4");
  EXPECT_EQ(message([&] { reshape(x, {5, 2}); }), "reshape: x is [3,4] of 12 elements, [5,2] has 10");
  EXPECT_EQ(message([&] { split_cols<3>(x); }), "split_cols: x is [3,4], expected columns in 3 equal parts");
  EXPECT_EQ(message([&] { concat_cols({x, y}); }), "concat_cols: rows differ: a part is [2,5], the first is [3,4]");
  EXPECT_EQ(message([&] { concat_rows({x, y}); }), "concat_rows: columns differ: a part is [2,5], the first is [3,4]");
  EXPECT_EQ(message([&] { concat_cols(std::span<const Var>()); }), "concat_cols: 0 parts, expected at least 1");
  EXPECT_EQ(message([&] { concat_rows(std::span<const Var>()); }), "concat_rows: 0 parts, expected at least 1");
  EXPECT_EQ(message([&] { last_rows(x, Segments::one(4)); }), "last_rows: x is [3,4], segments are of 4 rows");
  EXPECT_EQ(message([&] { first_rows(x, Segments::one(4)); }), "first_rows: x is [3,4], segments are of 4 rows");
  EXPECT_EQ(message([&] { repeat_rows(x, Segments::one(4)); }), "repeat_rows: x is [3,4], segments are of 1 sentences");
}

TEST_F(Rows, NamesTheIdsThatDoNotFit) {
  const Var x = zeros({2, 4});
  const auto message = [](const auto& f) { return thrown<ShapeError>(f); };
  EXPECT_EQ(message([&] { gather_rows(x, Ids{0, 2}); }), "gather_rows: id 2 at position 1, expected 0 <= id < 2");
  EXPECT_EQ(message([&] {
              scatter_rows(x, Ids{0, -1}, 5);
            }),
            "scatter_rows: id -1 at position 1, expected 0 <= id < 5");
  EXPECT_EQ(message([&] {
              scatter_rows(x, Ids{3, 3}, 5);
            }),
            "scatter_rows: id 3 at position 1 came before, expected distinct ids");
  EXPECT_EQ(message([&] { scatter_rows(x, Ids{3}, 5); }), "scatter_rows: x is [2,4], expected 1 rows, one for each id");
}

}  // namespace
}  // namespace dhyan
