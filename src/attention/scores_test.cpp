#include "attention/scores.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

// A score with weights that a test sets, on one sentence.
class OneSentence {
 public:
  OneSentence(std::string_view score, const ScoreSize& size)
      : heads_(size.heads), score_(make_score(score, {weights_, "score", size, Rng(1)})) {}

  void set(std::string_view name, std::initializer_list<Real> values) {
    const Tensor& value = weights_.find(name)->value;
    ASSERT_EQ(value.size(), std::ssize(values)) << name;
    std::ranges::copy(values, value.data());
  }

  std::vector<Real> energies(const Tensor& queries, const Tensor& annotations) const {
    Arena arena;
    Scope scope(arena);
    const Var q = scope.constant(queries), h = scope.constant(annotations);
    const AttentionLayout layout{Segments::one(q.rows()), Segments::one(h.rows()), heads_};
    const Var e = (*score_)(q, {score_->keys(h), h, layout.keys}, layout);
    return {e.value().span().begin(), e.value().span().end()};
  }

  const ParameterSet& weights() const { return weights_; }

 private:
  Index heads_;
  ParameterSet weights_;
  std::unique_ptr<Score> score_;
};

void expect_near(const std::vector<Real>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-5) << i;
}

TEST(Scores, AreInATableWithAFormulaAndAReferenceEach) {
  for (const ScoreEntry& entry : scores()) {
    EXPECT_FALSE(entry.formula.empty()) << entry.name;
    EXPECT_FALSE(entry.reference.empty()) << entry.name;
    EXPECT_EQ(std::ranges::count(scores(), entry.name, &ScoreEntry::name), 1) << entry.name;
  }
}

TEST(Scores, OfAnUnknownNameListTheKnownOnes) {
  EXPECT_EQ(thrown<ConfigError>([] {
              OneSentence("dott", {2, 2});
            }),
            "score: 'dott' is none of dot, scaled_dot, general, additive, concat, location, cosine");
}

TEST(Scores, ThatMultiplyElementwiseNeedEqualWidths) {
  for (const char* name : {"dot", "scaled_dot", "cosine"}) {
    EXPECT_EQ(thrown<ConfigError>([&] { OneSentence(name, {.query = 2, .key = 4, .hidden = 4}); }),
              cat("score ", name,
                  ": queries are 2 wide and annotations 4; it needs them equally wide: read the source in one "
                  "direction, or take general, "
                  "additive or concat"));
  }
  for (const char* name : {"general", "additive", "concat", "location"}) {
    EXPECT_NO_THROW(OneSentence(name, {.query = 2, .key = 4, .hidden = 4})) << name;
  }
}

TEST(Scores, NeedWidthsThatTheHeadsCanShare) {
  EXPECT_EQ(thrown<ConfigError>([] { OneSentence("dot", {.query = 4, .key = 4, .heads = 3}); }),
            "attention: width of the queries is 4, which 3 heads cannot share equally");
  EXPECT_EQ(thrown<ConfigError>([] { OneSentence("general", {.query = 4, .key = 5, .heads = 2}); }),
            "attention: width of the annotations is 5, which 2 heads cannot share equally");
  for (const char* name : {"additive", "concat"}) {
    EXPECT_EQ(thrown<ConfigError>([&] { OneSentence(name, {.query = 4, .key = 4, .hidden = 3, .heads = 2}); }),
              "attention: width of the hidden layer is 3, which 2 heads cannot share equally");
  }
  EXPECT_EQ(thrown<ConfigError>([] { OneSentence("dot", {.query = 4, .key = 4, .heads = 0}); }),
            "attention: width of the queries is 4, which 0 heads cannot share equally");
}

TEST(DotScore, MultipliesQueryAndAnnotation) {
  OneSentence score("dot", {.query = 2, .key = 2});
  expect_near(score.energies(Tensor::of({1, 2}, {1, 2}), Tensor::of({2, 2}, {3, 4, -5, 6})), {11, 7});
}

TEST(ScaledDotScore, DividesByTheRootOfTheHeadWidth) {
  OneSentence dot("dot", {.query = 8, .key = 8, .heads = 2}), scaled("scaled_dot", {.query = 8, .key = 8, .heads = 2});
  Rng rng(1);
  const Tensor q = random_tensor(rng, {2, 8}), h = random_tensor(rng, {3, 8});
  std::vector<double> half;
  for (const Real e : dot.energies(q, h)) half.push_back(e / 2);  // √(8/2)
  expect_near(scaled.energies(q, h), half);
}

TEST(GeneralScore, PutsAMatrixBetween) {
  OneSentence score("general", {.query = 2, .key = 3});
  score.set("score.W", {1, 0, 0, 1, 2, -1});  // [K,Q]
  // h W = 1 + 2*3, 2 - 3;   s·(h W) = 10*7 + 1*(-1)
  expect_near(score.energies(Tensor::of({1, 2}, {10, 1}), Tensor::of({1, 3}, {1, 2, 3})), {69});
}

TEST(GeneralScore, GivesEachHeadItsColumnsOfTheProductOfTheWholeAnnotation) {
  OneSentence score("general", {.query = 2, .key = 2, .heads = 2});
  score.set("score.W", {1, 2, 3, 4});
  // h W = 1*5 + 3*6, 2*5 + 4*6 = 23, 34
  expect_near(score.energies(Tensor::of({1, 2}, {10, 1}), Tensor::of({1, 2}, {5, 6})), {230, 34});
}

TEST(AdditiveScore, IsALayerOfTanhAndAVector) {
  OneSentence score("additive", {.query = 1, .key = 2, .hidden = 2});
  score.set("score.W", {1, -1});       // [Q,A]
  score.set("score.U", {1, 0, 0, 2});  // [K,A]
  score.set("score.b", {0.25, 0});     // [A]
  score.set("score.v", {3, 5});        // [A]
  const double first = 3 * std::tanh(0.5 + 0.1 + 0.25) + 5 * std::tanh(-0.5 + 0.4);
  const double second = 3 * std::tanh(0.5 - 0.3 + 0.25) + 5 * std::tanh(-0.5 + 0.8);
  expect_near(score.energies(Tensor::of({1, 1}, {0.5}), Tensor::of({2, 2}, {0.1, 0.2, -0.3, 0.4})), {first, second});
}

TEST(ConcatScore, IsALayerOfTanhOnBothSideBySide) {
  OneSentence score("concat", {.query = 1, .key = 2, .hidden = 2});
  score.set("score.W", {1, -1, 1, 0, 0, 2});  // [Q+K,A]: the row of s, then those of h
  score.set("score.v", {3, 5});
  const double e = 3 * std::tanh(0.5 + 0.1) + 5 * std::tanh(-0.5 + 0.4);
  expect_near(score.energies(Tensor::of({1, 1}, {0.5}), Tensor::of({1, 2}, {0.1, 0.2})), {e});
}

TEST(LocationScore, DependsOnPositionsAndNotOnKeys) {
  OneSentence score("location", {.query = 2, .key = 2, .longest = 3});
  score.set("score.W", {1, 2, 3, 10, 20, 30});  // [Q,L]
  const Tensor q = Tensor::of({1, 2}, {1, 0.5});
  expect_near(score.energies(q, Tensor::of({2, 2}, {7, 8, 9, 10})), {6, 12});
  expect_near(score.energies(q, Tensor::zeros({2, 2})), {6, 12});
  const std::vector<Real> longer = score.energies(q, Tensor::zeros({4, 2}));
  EXPECT_NEAR(longer[2], 18, 1e-5);
  EXPECT_EQ(longer[3], -std::numeric_limits<Real>::infinity());
}

TEST(CosineScore, IsTheCosineTimesAStrengthOfEachHead) {
  OneSentence score("cosine", {.query = 4, .key = 4, .heads = 2});
  EXPECT_NEAR(score.weights().find("score.beta")->value.data()[0], std::sqrt(2), 1e-6);
  score.set("score.beta", {2, 10});
  // Head 0: (1,0) and (3,4), cosine .6; head 1: (1,1) and (-2,-2), cosine -1.
  expect_near(score.energies(Tensor::of({1, 4}, {1, 0, 1, 1}), Tensor::of({1, 4}, {3, 4, -2, -2})), {1.2, -10});
}

TEST(CosineScore, OfAZeroVectorIsZero) {
  OneSentence score("cosine", {.query = 2, .key = 2});
  expect_near(score.energies(Tensor::zeros({1, 2}), Tensor::of({1, 2}, {3, 4})), {0});
}

}  // namespace
}  // namespace dhyan
