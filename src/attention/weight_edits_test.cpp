#include "attention/weight_edits.h"

#include <gtest/gtest.h>

#include "attention/attend.h"
#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

constexpr Index kHeads = 2, kColumns = 4;  // of all heads

// Two sentences of 2 queries and 3 keys, and of 1 query and 2 keys; the queries of each stand at one position, as those
// of a search do.
class EditedAttention : public testing::Test {
 protected:
  Attended attended(const std::vector<std::vector<WeightEdit>>& edits, const char* window = "global") {
    ParameterSet none;
    const auto score = make_score("dot", {none, "score", {.query = 4, .key = 4, .heads = kHeads}, Rng(1)});
    const auto looks = make_window(window, {none, "window", {.query = 4}, Rng(1)});
    return attend(*score, {queries_, Segments::from_lengths({2, 1})}, {keys_, keys_, Segments::from_lengths({3, 2})},
                  {.heads = kHeads,
                   .window = looks.get(),
                   .positions = QueryPositions::all_at(4),
                   .edits = {.sentences = edits, .layer = 1}});
  }

  // α of a query of the first sentence.
  static std::vector<Real> row(const Attended& attended, Index head, Index query) {
    const auto all = attended.weights.value().span();
    const auto begin = all.begin() + (head * 2 + query) * 3;
    return {begin, begin + 3};
  }

  Arena arena_;
  Scope scope_{arena_};
  Rng rng_{3};
  Var queries_ = scope_.constant(random_tensor(rng_, {3, kColumns}));
  Var keys_ = scope_.constant(random_tensor(rng_, {5, kColumns}));
};

WeightEdit each_key(std::vector<Real> weights) {
  return {.step = 4, .group_of = {0, 1, 2}, .sums = std::move(weights)};
}

TEST_F(EditedAttention, GivesTheWeightsThatWereAskedForAndTheirContext) {
  const Attended model = attended({});
  WeightEdit edit = each_key({0.5, 0, 0.5});
  edit.head = 1;
  const Attended got = attended({{edit}, {}});
  for (Index query = 0; query < 2; ++query) {
    EXPECT_EQ(row(got, 0, query), row(model, 0, query));
    EXPECT_EQ(row(got, 1, query), (std::vector<Real>{0.5, 0, 0.5}));
    for (std::size_t k = 0; k < kColumns; ++k) {
      const Real expected = k < 2 ? model.context.value().row(query)[k]
                                  : Real{0.5} * keys_.value().row(0)[k] + Real{0.5} * keys_.value().row(2)[k];
      EXPECT_NEAR(got.context.value().row(query)[k], expected, 1e-6) << query << ' ' << k;
    }
  }
}

TEST_F(EditedAttention, LeavesOtherSentencesTheirBytes) {
  const Attended model = attended({}), got = attended({{each_key({1, 0, 0})}, {}});
  const auto last = [](const Var& x, std::size_t n) {
    const auto numbers = x.value().span().last(n);
    return std::vector<Real>(numbers.begin(), numbers.end());
  };
  EXPECT_EQ(last(got.weights, 4), last(model.weights, 4));
  EXPECT_EQ(last(got.context, kColumns), last(model.context, kColumns));
  EXPECT_NE(row(got, 0, 0), row(model, 0, 0));
}

TEST_F(EditedAttention, IsForTheStepAndLayerThatWereNamed) {
  const Attended model = attended({});
  WeightEdit other_step = each_key({1, 0, 0}), other_layer = each_key({1, 0, 0}), right = each_key({1, 0, 0});
  other_step.step = 3;
  other_layer.layer = 0;
  right.layer = 1;
  EXPECT_EQ(row(attended({{other_step, other_layer}, {}}), 0, 0), row(model, 0, 0));
  EXPECT_EQ(row(attended({{right}, {}}), 0, 0), (std::vector<Real>{1, 0, 0}));
}

TEST_F(EditedAttention, KeepsTheProportionsWithinAGroup) {
  const std::vector<Real> model = row(attended({}), 1, 0);
  const WeightEdit edit{.step = 4, .group_of = {0, 0, 1}, .sums = {0.25, 0.75}};
  const std::vector<Real> got = row(attended({{edit}, {}}), 1, 0);
  EXPECT_NEAR(got[0] + got[1], 0.25, 1e-6);
  EXPECT_NEAR(got[0] / got[1], model[0] / model[1], 1e-4);
  EXPECT_EQ(got[2], Real{0.75});
}

TEST_F(EditedAttention, SharesEquallyWhereTheModelGaveNothing) {
  const WeightEdit all_on_last = each_key({0, 0, 1});
  const WeightEdit without_last{.step = 4, .group_of = {1, 1, 0}, .sums = {0, 1}};
  EXPECT_EQ(row(attended({{all_on_last, without_last}, {}}), 0, 1), (std::vector<Real>{0.5, 0.5, 0}));
}

TEST_F(EditedAttention, ReplacesTheWeightsThatTheWindowChose) {
  const std::vector<Real> asked{0.5, 0.25, 0.25};
  EXPECT_EQ(row(attended({{each_key(asked)}, {}}, "hard"), 0, 0), asked);
}

TEST_F(EditedAttention, RefusesAnotherNumberOfSentencesOrKeys) {
  EXPECT_EQ(thrown<ShapeError>([&] { attended({{}}); }), "attention: edits of 1 sentences, expected 2");
  EXPECT_EQ(thrown<ShapeError>([&] {
              attended({{{.step = 4, .group_of = {0, 1}, .sums = {0.5, 0.5}}}, {}});
            }),
            "attention: an edit is of 2 keys, expected 3");
}

TEST_F(EditedAttention, HasNoGradient) {
  ParameterSet none;
  GradientSet gradients(none);
  Tape tape(none);
  tape.start(gradients, Rng(1));
  Scope recording(arena_, tape);
  const std::vector<std::vector<WeightEdit>> edits(1);
  const Var weights = recording.constant(Tensor::of({3}, {1, 0, 0}));
  EXPECT_EQ(thrown<UsageError>([&] {
              edited(weights, {Segments::one(1), Segments::one(3)}, {}, {.sentences = edits});
            }),
            "attention: edited weights have no gradient");
}

}  // namespace
}  // namespace dhyan
