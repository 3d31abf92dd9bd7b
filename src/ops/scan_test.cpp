#include "ops/scan.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/arithmetic.h"
#include "ops/rows.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

class GatedScan : public testing::Test {
 protected:
  Var constant(const Shape& shape, std::initializer_list<Real> numbers) {
    return scope_.constant(Tensor::of(shape, numbers));
  }
  Var random(std::uint64_t seed, const Shape& shape) {
    Rng rng(seed);
    return scope_.constant(random_tensor(rng, shape));
  }

  Arena arena_;
  Scope scope_{arena_};
  const Segments segments_ = Segments::from_lengths({3, 0, 1});
};

TEST_F(GatedScan, MatchesHandValues) {
  const Var x = constant({4, 1}, {8, 2, 5, 4}), f = constant({4, 1}, {0.5, 0.5, 0, 0.25});
  EXPECT_EQ(values(gated_scan(x, f, segments_)), (std::vector<Real>{4, 3, 5, 3}));
  EXPECT_EQ(values(gated_scan(x, f, segments_, constant({3, 1}, {2, 7, 8}))), (std::vector<Real>{5, 3.5, 5, 5}));
}

TEST_F(GatedScan, TakesABatchWithoutRows) {
  EXPECT_EQ(gated_scan(random(1, {0, 2}), random(2, {0, 2}), Segments()).shape(), (Shape{0, 2}));
}

TEST_F(GatedScan, GivesASentenceTheSameBytesRowByRow) {
  const Var x = random(1, {5, 7}), f = random(2, {5, 7}), start = random(3, {1, 7});
  const Var whole = gated_scan(x, f, Segments::one(5), start);
  Var c = start;
  for (Index r = 0; r < 5; ++r) {
    c = gated_scan(slice_rows(x, r, r + 1), slice_rows(f, r, r + 1), Segments::one(1), c);
    EXPECT_EQ(values(c), values(slice_rows(whole, r, r + 1))) << r;
  }
}

TEST_F(GatedScan, HasTheRightJacobian) {
  Rng rng(4);
  const std::vector<Tensor> inputs{random_tensor(rng, {4, 3}), random_tensor(rng, {4, 3}), random_tensor(rng, {3, 3})};
  EXPECT_EQ(jacobian_mismatch(
                [&](Scope&, const std::vector<Var>& in) { return gated_scan(in[0], in[1], segments_, in[2]); }, inputs),
            "");
  EXPECT_EQ(jacobian_mismatch([&](Scope&, const std::vector<Var>& in) { return gated_scan(in[0], in[1], segments_); },
                              {inputs[0], inputs[1]}),
            "");
}

TEST_F(GatedScan, AccumulatesWhereAnInputIsUsedTwice) {
  Rng rng(5);
  const std::vector<Tensor> one{random_tensor(rng, {4, 3})};
  const auto twice = [&](Scope&, const std::vector<Var>& in) {
    return multiply(gated_scan(in[0], in[0], segments_), in[0]);
  };
  EXPECT_EQ(jacobian_mismatch(twice, one), "");
}

TEST_F(GatedScan, NamesTheShapesThatDoNotFit) {
  const Var x = random(1, {4, 2});
  EXPECT_EQ(thrown<ShapeError>([&] {
              gated_scan(random(1, {2, 2}), x, segments_);
            }),
            "gated_scan: x is [2,2], segments are of 4 rows");
  EXPECT_EQ(thrown<ShapeError>([&] {
              gated_scan(x, random(1, {4, 3}), segments_);
            }),
            "gated_scan: f is [4,3], expected [4,2]");
  EXPECT_EQ(thrown<ShapeError>([&] {
              gated_scan(x, x, segments_, random(1, {1, 2}));
            }),
            "gated_scan: start is [1,2], expected [3,2]");
}

}  // namespace
}  // namespace dhyan
