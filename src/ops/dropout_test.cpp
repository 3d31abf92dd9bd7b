#include "ops/dropout.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/arithmetic.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

// A tape at work, without parameters.
class Dropout : public testing::Test {
 protected:
  Dropout() { restart(5); }
  void restart(std::uint64_t seed) { tape_.start(gradients_, Rng(seed)); }

  ParameterSet none_;
  GradientSet gradients_{none_};
  Tape tape_{none_};
  Arena arena_;
  Scope scope_{arena_, tape_};
};

TEST_F(Dropout, TakesItsMaskFromTheNoiseOfTheTape) {
  const Var y = dropout(scope_.constant(Tensor::of({5}, {1, 2, 3, 4, 5})), 0.5);
  const Rng noise = Rng(5).split(0);
  for (std::size_t i = 0; i < 5; ++i) {
    const bool kept = noise.block(i / 4)[i % 4] >= 0x80000000;
    EXPECT_EQ(y.value().span()[i], kept ? static_cast<Real>(2 * (i + 1)) : 0);
  }
}

TEST_F(Dropout, AddedInOnePassNamesTheShapesThatDiffer) {
  const Var x = scope_.constant(Tensor::zeros({2, 3})), y = scope_.constant(Tensor::zeros({3, 2}));
  EXPECT_EQ(thrown<ShapeError>([&] { add_dropped(x, y, 0.5); }), "add_dropped: y is [3,2], expected [2,3]");
  EXPECT_THROW(add_dropped(x, x, 1), ConfigError);
}

TEST_F(Dropout, DropsTheConfiguredShareAndKeepsTheMean) {
  const Tensor ones = Tensor::zeros({100, 1000});
  ones.fill(1);
  const Var y = dropout(scope_.constant(ones), 0.3);
  double sum = 0, dropped = 0;
  for (const Real v : y.value().span()) {
    sum += v;
    dropped += v == 0;
  }
  EXPECT_NEAR(dropped / 1e5, 0.3, 0.01);
  EXPECT_NEAR(sum / 1e5, 1, 0.02);
}

TEST_F(Dropout, IsRepeatableAndDiffersFromCallToCall) {
  const Var x = scope_.constant(Tensor::of({1, 40}, std::vector<Real>(40, 1)));
  const std::vector<Real> first = values(dropout(x, 0.5)), second = values(dropout(x, 0.5));
  EXPECT_NE(first, second);
  restart(5);
  EXPECT_EQ(values(dropout(x, 0.5)), first);
  restart(6);
  EXPECT_NE(values(dropout(x, 0.5)), first);
}

TEST_F(Dropout, IsTheIdentityInInferenceAndAtProbabilityZero) {
  const Segments segments = Segments::one(2);
  const Var x = scope_.constant(Tensor::of({2, 2}, {1, 2, 3, 4}));
  EXPECT_EQ(&dropout(x, 0).node(), &x.node());
  EXPECT_EQ(&variational_dropout(x, segments, 0).node(), &x.node());
  Scope inference(arena_);
  const Var z = inference.constant(Tensor::of({2, 2}, {1, 2, 3, 4}));
  EXPECT_EQ(&dropout(z, 0.9).node(), &z.node());
  EXPECT_EQ(&variational_dropout(z, segments, 0.9).node(), &z.node());
}

TEST_F(Dropout, TakesTensorsWithoutElements) {
  const Var x = scope_.constant(Tensor::zeros({0, 3}));
  EXPECT_EQ(dropout(x, 0.5).shape(), (Shape{0, 3}));
  EXPECT_EQ(variational_dropout(x, Segments::from_lengths({0, 0}), 0.5).shape(), (Shape{0, 3}));
}

TEST_F(Dropout, HasTheRightJacobian) {
  Rng rng(2);
  const Tensor x = random_tensor(rng, {5, 7});
  EXPECT_EQ(jacobian_mismatch([](Scope&, const Inputs& in) { return dropout(in[0], 0.4); }, {x}), "");
  EXPECT_EQ(
      jacobian_mismatch([](Scope&, const Inputs& in) { return add(dropout(in[0], 0.4), dropout(in[0], 0.2)); }, {x}),
      "");
  const Segments segments = Segments::from_lengths({2, 0, 3});
  EXPECT_EQ(jacobian_mismatch(
                [&](Scope&, const Inputs& in) {
                  return add(variational_dropout(in[0], segments, 0.4), variational_dropout(in[0], segments, 0.4));
                },
                {x}),
            "");
}

TEST_F(Dropout, VariationalDropsTheSameColumnsInAllRowsOfASentence) {
  const Index length = 3, width = 50;
  const Tensor ones = Tensor::zeros({2 * length, width});
  ones.fill(1);
  const Var y = variational_dropout(scope_.constant(ones), Segments::from_lengths({length, 0, length}), 0.5);
  const auto row = [&y](Index r) { return std::vector<Real>(y.value().row(r).begin(), y.value().row(r).end()); };
  for (const Index r : {1, 2}) EXPECT_EQ(row(r), row(0));
  for (const Index r : {4, 5}) EXPECT_EQ(row(r), row(3));
  EXPECT_NE(row(0), row(3));
  const Rng noise = Rng(5).split(0);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(row(0)[i], noise.block(i / 4)[i % 4] >= 0x80000000 ? 2 : 0);
  }
}

TEST_F(Dropout, RefusesImpossibleProbabilitiesAndForeignSegments) {
  const Var x = scope_.constant(Tensor::zeros({2, 2}));
  EXPECT_EQ(thrown<ConfigError>([&] { dropout(x, 1); }), "dropout: probability is 1, expected 0 <= probability < 1");
  EXPECT_EQ(thrown<ConfigError>([&] { variational_dropout(x, Segments::one(2), -0.5); }),
            "variational_dropout: probability is -0.5, expected 0 <= probability < 1");
  EXPECT_EQ(thrown<ShapeError>([&] { variational_dropout(x, Segments::one(3), 0.5); }),
            "variational_dropout: x is [2,2], segments are of 3 rows");
}

TEST_F(Dropout, OfWordsDropsWholeRowsByTheNoiseOfTheTape) {
  const Var x = scope_.constant(Tensor::of({5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  const Var y = word_dropout(x, 0.5);
  const Rng noise = Rng(5).split(0);
  for (std::size_t r = 0; r < 5; ++r) {
    const bool kept = noise.block(r / 4)[r % 4] >= 0x80000000;
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_EQ(y.value().row(static_cast<Index>(r))[j], kept ? static_cast<Real>(2 * (2 * r + j + 1)) : 0);
    }
  }
}

TEST_F(Dropout, OfWordsHasTheRightJacobianAndNeedsATape) {
  Rng rng(1);
  EXPECT_EQ(jacobian_mismatch([](Scope&, const Inputs& in) { return word_dropout(in[0], 0.4); },
                              {random_tensor(rng, {6, 3})}),
            "");
  EXPECT_EQ(
      jacobian_mismatch([](Scope&, const Inputs& in) { return word_dropout(in[0], 0.4); }, {Tensor::zeros({0, 3})}),
      "");
  Scope inference(arena_);
  const Var z = inference.constant(Tensor::of({2, 2}, {1, 2, 3, 4}));
  EXPECT_EQ(&word_dropout(z, 0.9).node(), &z.node());
  EXPECT_EQ(thrown<ConfigError>([&] { word_dropout(z, 1); }),
            "word_dropout: probability is 1, expected 0 <= probability < 1");
}

}  // namespace
}  // namespace dhyan
