#include "nn/embedding.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"
#include "ops/activations.h"
#include "ops/output_loss.h"

namespace dhyan {
namespace {

using Ids = std::vector<RowId>;
using Inputs = std::vector<Var>;

TEST(EmbeddingLayer, LooksUpRowsAndScalesThemByTheRootOfTheWidth) {
  ParameterSet parameters;
  const Embedding plain(parameters, "a", 2, 4), scaled(parameters, "b", 2, 4, {.scale = EmbeddingScale::kRootOfWidth});
  for (Parameter& p : parameters) p.value = Tensor::of({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  Arena arena;
  Scope scope(arena);
  const Tensor rows = plain(scope, Ids{1, 0, 1}).value(), twice = scaled(scope, Ids{1, 0, 1}).value();
  EXPECT_EQ(rows.shape(), (Shape{3, 4}));
  for (int j = 0; j < 4; ++j) {
    EXPECT_EQ(rows.row(0)[static_cast<std::size_t>(j)], 5 + j);
    EXPECT_EQ(rows.row(1)[static_cast<std::size_t>(j)], 1 + j);
  }
  for (Index i = 0; i < rows.size(); ++i) EXPECT_EQ(twice.data()[i], 2 * rows.data()[i]);
  EXPECT_EQ(scaled(scope, Ids{}).shape(), (Shape{0, 4}));
}

TEST(EmbeddingLayer, HasTheRightJacobianWhenTiedToTheOutputLayer) {
  ParameterSet parameters;
  const Embedding words(parameters, "words", 4, 3, {.scale = EmbeddingScale::kRootOfWidth});
  randomise(parameters, 3);
  EXPECT_EQ(module_jacobian_mismatch(parameters, {},
                                     [&](Scope& scope, const Inputs&) {
                                       const Var x = tanh(words(scope, Ids{1, 3, 1}));  // [3,H]
                                       const OutputLayer tied{.weight = scope.parameter(words.table()), .bias = {}};
                                       return output_loss(x, tied, Ids{3, 0, 2}).loss;
                                     }),
            "");
}

TEST(EmbeddingLayer, RefusesAWordItDoesNotHave) {
  ParameterSet parameters;
  const Embedding words(parameters, "words", 4, 3);
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(thrown<DataError>([&] { words(scope, Ids{0, 4}); }), "embedding: id 4 at position 1, expected 0 <= id < 4");
}

TEST(EmbeddingLayer, DropsWholeWordsInTrainingOnly) {
  ParameterSet parameters;
  const Embedding words(parameters, "a", 2, 3, {.word_dropout = 0.5});
  for (Parameter& p : parameters) p.value.fill(1);
  const Ids ids(200, 1);
  GradientSet gradients(parameters);
  Tape tape(parameters);
  tape.start(gradients, Rng(1));
  Arena arena;
  Scope training(arena, tape), inference(arena);
  Index dropped = 0;
  const Tensor rows = words(training, ids).value();  // [200,3]
  for (Index r = 0; r < rows.rows(); ++r) {
    const Real first = rows.row(r)[0];
    for (const Real x : rows.row(r)) EXPECT_EQ(x, first);
    EXPECT_TRUE(first == 0 || first == 2);
    dropped += first == 0;
  }
  EXPECT_NEAR(static_cast<double>(dropped), 100, 30);
  const Tensor whole = words(inference, ids).value();
  for (const Real x : whole.span()) EXPECT_EQ(x, 1);
}

}  // namespace
}  // namespace dhyan
