#include "nn/dropout.h"

#include <gtest/gtest.h>

#include "autograd/testing/recording.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

std::vector<Real> row(const Var& x, Index r) { return {x.value().row(r).begin(), x.value().row(r).end()}; }

TEST(DropoutLayer, DrawsAMaskForEveryElementOrForEverySentence) {
  Recording recording;
  const Tensor ones = Tensor::zeros({4, 40});
  ones.fill(1);
  const Ragged x = make_ragged(recording.scope.constant(ones), Segments::from_lengths({2, 0, 2}));
  const Var elements = Dropout(0.5)(x), sentences = Dropout(0.5, DropoutMask::kSentences)(x);
  EXPECT_NE(row(elements, 0), row(elements, 1));
  EXPECT_EQ(row(sentences, 0), row(sentences, 1));
  EXPECT_NE(row(sentences, 0), row(sentences, 2));
  EXPECT_EQ(&Dropout()(x).node(), &x.rows.node());
}

TEST(DropoutLayer, DoesNothingInInference) {
  Arena arena;
  Scope scope(arena);
  const Ragged x = make_ragged(scope.constant(Tensor::zeros({2, 2})), Segments::one(2));
  EXPECT_EQ(&Dropout(0.9)(x).node(), &x.rows.node());
  EXPECT_EQ(&Dropout(0.9, DropoutMask::kSentences)(x).node(), &x.rows.node());
}

TEST(DropoutLayer, RefusesAnImpossibleProbabilityWhenItIsMade) {
  EXPECT_EQ(thrown<ConfigError>([] { Dropout(1.5); }), "Dropout: probability is 1.5, expected 0 <= probability < 1");
}

}  // namespace
}  // namespace dhyan
