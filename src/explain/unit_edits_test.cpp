#include "explain/unit_edits.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "explain/testing/example_records.h"

namespace dhyan {
namespace {

// Source words of 2, 1 and 1 tokens; target words of 1, 2 and 1 tokens. Two layers of two heads.
class UnitEdits : public testing::Test {
 protected:
  std::vector<WeightEdit> edits(const std::vector<UnitEdit>& step) { return weight_edits(step, records_, units_); }

  // The row of a target word that the model gave.
  std::vector<double> shown(std::size_t record, std::size_t word) const {
    return attention_map(records_[record], units_.source, units_.target).weights[word];
  }

  std::string refusal(const UnitEdit& edit) {
    return thrown<UsageError>([&] { edits({edit}); });
  }

  SentenceUnits units_{.source = {{"ab", "c", "</s>"}, {0, 0, 1, 2}, true},
                       .target = {{"x", "yz", "</s>"}, {0, 1, 1, 2}, true}};
  std::vector<AttentionRecord> records_ = example_records({.source = 4, .target = 4});
};

TEST_F(UnitEdits, GiveTheTokensOfASourceWordItsWeightTogether) {
  const std::vector<WeightEdit> made = edits({{.step = 3, .layer = 2, .head = 1, .weights = {0.25, 0.5, 0.25}}});
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].step, 3) << "from 0, of tokens";
  EXPECT_EQ(made[0].layer, 1);
  EXPECT_EQ(made[0].head, 0);
  EXPECT_EQ(made[0].group_of, units_.source.unit_of);
  const std::vector<double> expected{0.25, 0.5, 0.25};
  for (std::size_t u = 0; u < 3; ++u) EXPECT_NEAR(made[0].sums[u], expected[u], 1e-6);
}

TEST_F(UnitEdits, OfNoLayerOrHeadAreOfAll) {
  EXPECT_EQ(edits({{.step = 1, .weights = {1, 0, 0}}}).size(), 4U);
  EXPECT_EQ(edits({{.step = 1, .layer = 1, .weights = {1, 0, 0}}}).size(), 2U);
  EXPECT_EQ(edits({{.step = 1, .head = 2, .weights = {1, 0, 0}}}).size(), 2U);
  EXPECT_EQ(edits({{.step = 1, .head = 2, .weights = {1, 0, 0}}})[1].layer, 1);
}

TEST_F(UnitEdits, MoveTheRowsOfATargetWordToTheMeanThatWasAskedFor) {
  const std::vector<double> asked{0.125, 0.75, 0.125};
  const std::vector<WeightEdit> made = edits({{.step = 2, .layer = 1, .head = 1, .weights = asked}});
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0].step, 1);
  EXPECT_EQ(made[1].step, 2);
  for (std::size_t u = 0; u < 3; ++u) EXPECT_NEAR((made[0].sums[u] + made[1].sums[u]) / 2, asked[u], 1e-6);
  for (const WeightEdit& edit : made) {
    EXPECT_NEAR(std::accumulate(edit.sums.begin(), edit.sums.end(), 0.0), 1, 1e-6);
    for (const Real sum : edit.sums) EXPECT_GE(sum, 0);
  }
  EXPECT_NE(made[0].sums, made[1].sums) << "each keeps some of its own";
}

TEST_F(UnitEdits, AreNoneForRowsAsTheyWere) {
  for (const Index step : {1, 2, 3}) {
    std::vector<double> row = shown(0, static_cast<std::size_t>(step - 1));
    for (double& weight : row) weight = std::round(weight * 1e6) / 1e6;  // as the server writes them
    EXPECT_TRUE(edits({{.step = step, .layer = 1, .head = 1, .weights = row}}).empty());
    row[0] -= 0.01;
    row[1] += 0.01;
    EXPECT_FALSE(edits({{.step = step, .layer = 1, .head = 1, .weights = row}}).empty());
  }
}

TEST_F(UnitEdits, HoldARowAsItWasBesideAnotherThatChanges) {
  const UnitEdit same{.step = 2, .layer = 2, .head = 2, .weights = shown(3, 1)};
  const UnitEdit other{.step = 2, .layer = 1, .head = 1, .weights = {0, 0, 1}};
  const std::vector<WeightEdit> made = edits({same, other});
  ASSERT_EQ(made.size(), 4U);
  for (std::size_t i = 0; i < 2; ++i) {  // each token keeps its own row
    const std::vector<Real>& row = records_[3].weights[1 + i];
    EXPECT_NEAR(made[i].sums[0], row[0] + row[1], 1e-6);
    EXPECT_NEAR(made[i].sums[1], row[2], 1e-6);
  }
}

TEST_F(UnitEdits, HaveWeightsThatSumToOneAfterASmallError) {
  const WeightEdit made = edits({{.step = 1, .layer = 1, .head = 1, .weights = {0.333, 0.333, 0.3335}}}).front();
  EXPECT_NEAR(std::accumulate(made.sums.begin(), made.sums.end(), 0.0), 1, 1e-6);
}

TEST_F(UnitEdits, RefuseStepsLayersAndHeadsOutOfRange) {
  EXPECT_EQ(refusal({.step = 4, .weights = {1, 0, 0}}), "edits: there is no step 4; the translation has 3");
  EXPECT_EQ(refusal({.step = 0, .weights = {1, 0, 0}}), "edits: there is no step 0; the translation has 3");
  EXPECT_EQ(refusal({.layer = 3, .weights = {1, 0, 0}}),
            "attention: there is no layer 3 of cross-attention; this model has 2");
  EXPECT_EQ(refusal({.head = 5, .weights = {1, 0, 0}}),
            "attention: there is no head 5 of cross-attention; this model has 2");
}

TEST_F(UnitEdits, RefuseWeightsThatAreNoRow) {
  EXPECT_EQ(refusal({.weights = {1, 0}}), "edits: step 1 has 2 weights, expected 3, one for each source unit");
  EXPECT_EQ(refusal({.weights = {1.5, -0.5, 0}}), "edits: step 1 has a weight of -0.5, expected 0 or more");
  EXPECT_EQ(refusal({.weights = {1, 0, 0.5}}), "edits: the weights of step 1 sum to 1.5, expected 1");
  EXPECT_EQ(refusal({.weights = {0, 0, 0}}), "edits: the weights of step 1 sum to 0, expected 1");
  EXPECT_EQ(refusal({.weights = {HUGE_VAL, 0, 0}}), "edits: step 1 has a weight of inf, expected 0 or more");
}

}  // namespace
}  // namespace dhyan
