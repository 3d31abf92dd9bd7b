#include "translator/influence.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "explain/explanation.h"
#include "translator/testing/tiny_text_model.h"

namespace dhyan {
namespace {

const std::string kLine = "bad cafe";
const SearchOptions kWholeRecord{.beam_size = 3, .min_length = 6, .max_length = 12, .keep = RecordedAttention::kSteps};

struct Made {
  explicit Made(std::string_view kind, std::string_view window = "global", std::vector<WeightEdit> made_with = {})
      : translator(tiny_text_model(kind, window)), edits(std::move(made_with)) {
    TranslationOptions options{.search = kWholeRecord};
    if (!edits.empty()) options.edits = {edits};
    translation = translator.translate_with(std::span(&kLine, 1), options).front().front();
  }

  SentenceUnits units(Units kind) const {
    return sentence_units({translation.source, translation.text, translation.source_tokens, translation.hypothesis},
                          translator.tokenizers(), kind);
  }
  std::vector<double> influence_on(InfluenceOptions asked, Units kind = Units::kSubwords) const {
    asked.edits = edits;
    return influence(translator.model(), translation, units(kind), asked);
  }

  // log p of the tokens as they are, with these edits.
  std::vector<double> scores_with(std::vector<WeightEdit> edits) const {
    const std::vector<std::vector<WeightEdit>> of_sentence{std::move(edits)};
    const std::vector<TokenId>& source = translation.source_tokens;
    const auto decoding = translator.model().decode(
        {.tokens = source, .segments = Segments::one(std::ssize(source)), .edits = of_sentence});
    return force(*decoding, std::span(&translation.hypothesis.tokens, 1), {}).front().token_scores;
  }

  Translator translator;
  std::vector<WeightEdit> edits;
  Translation translation;
};

// The row of a step without weight j, by hand.
WeightEdit row_without(const Made& made, std::size_t step, std::size_t j) {
  const std::vector<Real>& row = made.translation.hypothesis.attention.front().weights[step];
  WeightEdit edit{.step = static_cast<Index>(step)};
  for (std::size_t k = 0; k < row.size(); ++k) {
    edit.group_of.push_back(k);
    edit.sums.push_back(k == j ? 0 : row[k] / (1 - row[j]));
  }
  return edit;
}

TEST(Influence, IsTheChangeOfLogPWithoutTheWeightOfAPosition) {
  const Made made("recurrent");
  const std::vector<double>& scores = made.translation.hypothesis.token_scores;
  for (const std::size_t step : {0, 3}) {
    const std::vector<double> changes = made.influence_on({.step = static_cast<Index>(step + 1)});
    ASSERT_EQ(changes.size(), made.translation.source_tokens.size());
    for (std::size_t j = 0; j < changes.size(); ++j) {
      EXPECT_NEAR(changes[j], made.scores_with({row_without(made, step, j)})[step] - scores[step], 1e-5);
      EXPECT_NE(changes[j], 0);
    }
  }
}

TEST(Influence, OfWordsCountsTheirTokensAsOne) {
  const Made made("recurrent");
  const SentenceUnits units = made.units(Units::kWords);
  const TokenRange step = tokens_of_step("test", units.target, 1);
  ASSERT_GT(step.end - step.begin, 1U);
  WeightEdit edit{.group_of = {0, 0, 0, 1, 1, 1, 1, 1, 1}, .sums = {0, 1}};  // "bad", and the rest
  ASSERT_EQ(units.source.unit_of[2], 0U);
  ASSERT_EQ(units.source.unit_of[3], 1U);
  std::vector<WeightEdit> edits;
  double expected = 0;
  for (std::size_t i = step.begin; i < step.end; ++i) {
    edit.step = static_cast<Index>(i);
    edits.push_back(edit);
    expected -= made.translation.hypothesis.token_scores[i];
  }
  const std::vector<double> scores = made.scores_with(edits);
  for (std::size_t i = step.begin; i < step.end; ++i) expected += scores[i];
  const std::vector<double> changes = made.influence_on({.step = 1}, Units::kWords);
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_NEAR(changes[0], expected, 1e-6);
}

TEST(Influence, IsNothingWhereThereIsNoWeight) {
  const Made made("recurrent", "hard");
  const std::vector<Real>& row = made.translation.hypothesis.attention.front().weights[1];
  const std::vector<double> changes = made.influence_on({.step = 2});
  for (std::size_t j = 0; j < row.size(); ++j) {
    EXPECT_EQ(changes[j] == 0, row[j] == 0) << j;  // where all was, the others share it equally
  }
}

TEST(Influence, IsThatOfTheWeightsAsEdited) {
  WeightEdit edit{.step = 1, .group_of = {0, 0, 1, 0, 0, 0, 0, 0, 0}, .sums = {0, 1}};
  const Made made("recurrent", "global", {edit});
  const std::vector<double> changes = made.influence_on({.step = 2});
  for (std::size_t j = 0; j < changes.size(); ++j) EXPECT_EQ(changes[j] != 0, j == 2) << j;
}

TEST(Influence, IsThatOfTheLayersAndHeadsThatWereChosen) {
  const Made made("transformer");
  const std::vector<double> all = made.influence_on({.step = 2});
  EXPECT_EQ(all, made.influence_on({.step = 2, .layers = {1, 2}, .heads = {1, 2}}));
  const std::vector<double> one = made.influence_on({.step = 2, .layers = {2}, .heads = {1}});
  EXPECT_NE(one, all);
  const WeightEdit without_first{
      .step = 1, .layer = 1, .head = 0, .group_of = {0, 1, 1, 1, 1, 1, 1, 1, 1}, .sums = {0, 1}};
  EXPECT_NEAR(one[0], made.scores_with({without_first})[1] - made.translation.hypothesis.token_scores[1], 1e-6);
}

TEST(Influence, RefusesTokensOutOfRange) {
  const Made made("transformer");
  const auto refusal = [&](const InfluenceOptions& asked) {
    return thrown<UsageError>([&] { made.influence_on(asked); });
  };
  EXPECT_TRUE(refusal({.step = 99}).starts_with("influence: there is no step 99; the translation has "));
  EXPECT_EQ(refusal({.layers = {3}}), "attention: there is no layer 3 of cross-attention; this model has 2");
  EXPECT_EQ(refusal({.heads = {1, 0}}), "attention: there is no head 0 of cross-attention; this model has 2");
}

}  // namespace
}  // namespace dhyan
