#include "ops/embedding.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "autograd/testing/recording.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/arithmetic.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

using Ids = std::vector<RowId>;
using Inputs = std::vector<Var>;

TEST(Embedding, LooksUpRows) {
  Arena arena;
  Scope scope(arena);
  const Var table = scope.constant(Tensor::of({3, 2}, {1, 2, 3, 4, 5, 6}));
  const Var y = embedding(scope, table, Ids{2, 0, 2});
  EXPECT_EQ(y.shape(), (Shape{3, 2}));
  EXPECT_EQ(values(y.value()), (std::vector<Real>{5, 6, 1, 2, 5, 6}));
  EXPECT_EQ(embedding(scope, table, Ids{}).shape(), (Shape{0, 2}));
}

TEST(Embedding, HasTheRightJacobianForParametersAndComputedTables) {
  Rng rng(3);
  const Tensor table = random_tensor(rng, {4, 3});
  EXPECT_EQ(jacobian_mismatch(
                [](Scope& s, const Inputs& in) {
                  return embedding(s, in[0], Ids{3, 1, 3});
                },
                {table}),
            "");
  EXPECT_EQ(jacobian_mismatch(
                [](Scope& s, const Inputs& in) {
                  return embedding(s, scale(in[0], Real{0.5}), Ids{3, 1, 3});
                },
                {table}),
            "");
  EXPECT_EQ(jacobian_mismatch(
                [](Scope& s, const Inputs& in) {
                  return add(embedding(s, in[0], Ids{0, 1}), embedding(s, in[0], Ids{1, 1}));
                },
                {table}),
            "");
}

TEST(Embedding, TouchesOnlyTheRowsThatWereUsed) {
  ParameterSet parameters;
  const Parameter& table = parameters.add("table", {1000, 2});
  Recording training(parameters);
  Scope& scope = training.scope;
  Ids ids{7, 3, 7};
  const Var y = embedding(scope, scope.parameter(table), ids);
  ids.assign(3, 0);  // the op has its own copy
  training.tape.backward(y, Tensor::of({3, 2}, {1, 2, 10, 20, 100, 200}));
  const Gradient& gradient = training.gradients[table];
  EXPECT_FALSE(gradient.all_touched());
  EXPECT_EQ(Ids(gradient.touched_rows().begin(), gradient.touched_rows().end()), (Ids{7, 3}));
  EXPECT_EQ(values(gradient.value().row_range(7, 8)), (std::vector<Real>{101, 202}));
  EXPECT_EQ(values(gradient.value().row_range(3, 4)), (std::vector<Real>{10, 20}));
  EXPECT_EQ(values(gradient.value().row_range(0, 1)), (std::vector<Real>{0, 0}));
}

TEST(PlacedEmbedding, AddsPlacesToScaledWordsOrSaysWhyItCannot) {
  Recording training;
  Scope scope(training.arena), &recording = training.scope;
  const Var words = scope.constant(Tensor::of({2, 2}, {1, 2, 3, 4})), places = scope.constant(Tensor::zeros({1, 2}));
  places.value().fill(7);
  const Ids ids{1, 0}, at{0, 0}, one{0}, none{1, 2};
  EXPECT_EQ(values(placed_embedding(scope, {words, ids}, 10, {places, at}).value()),
            (std::vector<Real>{37, 47, 17, 27}));
  EXPECT_EQ(thrown<UsageError>([&] {
              placed_embedding(recording, {words, ids}, 1, {places, at});
            }),
            "placed_embedding: has no backward, but the scope has a tape");
  EXPECT_EQ(thrown<ShapeError>([&] {
              placed_embedding(scope, {words, ids}, 1, {places, one});
            }),
            "placed_embedding: 1 places for 2 words");
  EXPECT_EQ(thrown<DataError>([&] {
              placed_embedding(scope, {words, none}, 1, {places, at});
            }),
            "embedding: id 2 at position 1, expected 0 <= id < 2");
}

TEST(Embedding, NamesAnIdOutsideTheTable) {
  Arena arena;
  Scope scope(arena);
  const Var table = scope.constant(Tensor::zeros({3, 2}));
  EXPECT_EQ(thrown<DataError>([&] {
              embedding(scope, table, Ids{0, 3});
            }),
            "embedding: id 3 at position 1, expected 0 <= id < 3");
  EXPECT_EQ(thrown<DataError>([&] { embedding(scope, table, Ids{-1}); }),
            "embedding: id -1 at position 0, expected 0 <= id < 3");
  EXPECT_EQ(thrown<ShapeError>([&] { embedding(scope, scope.constant(Tensor::zeros({3})), Ids{0}); }),
            "embedding: table is [3], expected rank 2");
}

}  // namespace
}  // namespace dhyan
