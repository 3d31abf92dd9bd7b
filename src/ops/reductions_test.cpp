#include "ops/reductions.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/arithmetic.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;
using Reals = std::vector<Real>;

class Reductions : public testing::Test {
 protected:
  Var zeros(const Shape& shape) { return scope_.constant(Tensor::zeros(shape)); }

  Arena arena_;
  Scope scope_{arena_};
  const Segments segments_ = Segments::from_lengths({2, 0, 1});
};

TEST_F(Reductions, MatchHandValues) {
  const Var x = scope_.constant(Tensor::of({3, 2}, {1, 2, 3, 4, 5, -6}));
  EXPECT_EQ(sum(x).shape(), Shape{});
  EXPECT_EQ(sum(x).value().item(), 9);
  EXPECT_EQ(mean(x).value().item(), Real{1.5});
  EXPECT_EQ(row_sums(x).shape(), Shape{3});
  EXPECT_EQ(values(row_sums(x)), (Reals{3, 7, -1}));
  EXPECT_EQ(values(segment_sum(x, segments_)), (Reals{4, 6, 0, 0, 5, -6}));
  EXPECT_EQ(values(segment_mean(x, segments_)), (Reals{2, 3, 0, 0, 5, -6}));
}

TEST_F(Reductions, TakeTensorsWithoutElements) {
  EXPECT_EQ(sum(zeros({0, 2})).value().item(), 0);
  EXPECT_EQ(values(row_sums(zeros({2, 0}))), (Reals{0, 0}));
  EXPECT_EQ(values(segment_mean(zeros({0, 2}), Segments::one(0))), (Reals{0, 0}));
  EXPECT_EQ(segment_sum(zeros({0, 2}), Segments()).shape(), (Shape{0, 2}));
}

TEST_F(Reductions, HaveTheRightJacobians) {
  Rng rng(13);
  const std::vector<Tensor> one{random_tensor(rng, {3, 5})};
  const auto expect = [&one](const DifferentiableFunction& f) { EXPECT_EQ(jacobian_mismatch(f, one), ""); };
  expect([](Scope&, const Inputs& in) { return sum(in[0]); });
  expect([](Scope&, const Inputs& in) { return mean(in[0]); });
  expect([](Scope&, const Inputs& in) { return row_sums(in[0]); });
  expect([this](Scope&, const Inputs& in) { return segment_sum(in[0], segments_); });
  expect([this](Scope&, const Inputs& in) { return segment_mean(in[0], segments_); });
}

TEST_F(Reductions, AccumulateWhereAnInputIsUsedTwice) {
  Rng rng(14);
  const std::vector<Tensor> one{random_tensor(rng, {3, 5})};
  const auto expect = [&one](const DifferentiableFunction& f) { EXPECT_EQ(jacobian_mismatch(f, one), ""); };
  expect([](Scope&, const Inputs& in) { return multiply(sum(in[0]), mean(in[0])); });
  expect([](Scope&, const Inputs& in) { return multiply(row_sums(in[0]), row_sums(in[0])); });
  expect([this](Scope&, const Inputs& in) {
    return multiply(segment_sum(in[0], segments_), segment_mean(in[0], segments_));
  });
}

TEST_F(Reductions, NameTheShapesThatDoNotFit) {
  EXPECT_EQ(thrown<ShapeError>([&] { mean(zeros({0, 3})); }), "mean: x is [0,3], expected at least one element");
  EXPECT_EQ(thrown<ShapeError>([&] {
              segment_sum(zeros({2, 3}), segments_);
            }),
            "segment_sum: x is [2,3], segments are of 3 rows");
  EXPECT_EQ(thrown<ShapeError>([&] {
              segment_mean(zeros({2, 3}), segments_);
            }),
            "segment_mean: x is [2,3], segments are of 3 rows");
}

}  // namespace
}  // namespace dhyan
