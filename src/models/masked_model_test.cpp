#include "models/masked_model.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "models/testing/decode_checks.h"
#include "models/testing/tiny_transformer.h"

namespace dhyan {
namespace {

constexpr Index kManyWords = 1000;

// Lines of these lengths in tokens, </s> included, as targets; the sources have only </s>.
Batch lines_of(Index count, Index length) {
  const std::vector<ExampleSize> sizes(static_cast<std::size_t>(count), {1, length});
  return random_pairs(1, sizes, kManyWords, kManyWords);
}

TEST(Masking, SelectsFifteenPercentOfASentence) {
  const std::map<Index, Index> expected{{1, 0}, {2, 1}, {3, 1}, {10, 1}, {11, 2}, {21, 3}, {101, 15}};
  for (const auto& [length, count] : expected) {
    EXPECT_EQ(std::ssize(mask(lines_of(1, length), kManyWords, Rng(1)).places), count) << length;
  }
}

TEST(Masking, HidesEightReplacesOneAndKeepsOneOfTen) {
  const Batch batch = lines_of(2000, 21);
  const Masking masking = mask(batch, kManyWords, Rng(1));
  ASSERT_EQ(masking.places.size(), 6000u);
  ASSERT_EQ(masking.answers.size(), 6000u);
  double hidden = 0, replaced = 0, left = 0;
  for (std::size_t i = 0; i < masking.places.size(); ++i) {
    const TokenId now = masking.tokens[static_cast<std::size_t>(masking.places[i])], was = masking.answers[i];
    ++(now == kMask ? hidden : now == was ? left : replaced);
    EXPECT_TRUE(now == kMask || now > kEnd) << now;
    EXPECT_LT(now, kManyWords);
    EXPECT_EQ(was, batch.target[static_cast<std::size_t>(masking.places[i])]);
  }
  // Standard deviations of 6000 draws: 31 and 23.
  EXPECT_NEAR(hidden, 4800, 4 * 31);
  EXPECT_NEAR(replaced, 600, 4 * 23);
  EXPECT_NEAR(left, 600, 4 * 23);
}

TEST(Masking, SelectsEveryPlaceExceptTheEnd) {
  const Batch batch = lines_of(2000, 21);
  std::vector<double> often(21, 0);
  for (const RowId place : mask(batch, kManyWords, Rng(1)).places) ++often[static_cast<std::size_t>(place % 21)];
  EXPECT_EQ(often.back(), 0);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(often[i], 300, 4 * 16) << i;
}

TEST(Masking, ChangesNothingElse) {
  const Batch batch = lines_of(50, 21);
  const Masking masking = mask(batch, kManyWords, Rng(1));
  ASSERT_EQ(masking.tokens.size(), batch.target.size());
  EXPECT_TRUE(std::ranges::is_sorted(masking.places));
  EXPECT_EQ(std::ranges::adjacent_find(masking.places), masking.places.end());
  std::vector<TokenId> restored = masking.tokens;
  for (std::size_t i = 0; i < masking.places.size(); ++i) {
    restored[static_cast<std::size_t>(masking.places[i])] = masking.answers[i];
  }
  EXPECT_EQ(restored, batch.target);
}

TEST(Masking, DependsOnTheNumberOfTheSentenceAndNotOnItsBatch) {
  const Batch batch = lines_of(3, 21);
  const Masking all = mask(batch, kManyWords, Rng(1)), alone = mask(sentence_of(batch, 1), kManyWords, Rng(1));
  EXPECT_TRUE(std::equal(alone.tokens.begin(), alone.tokens.end(), all.tokens.begin() + 21));
  EXPECT_NE(mask(batch, kManyWords, Rng(2)).places, all.places);
}

auto tiny_masked(const TransformerConfig& config) { return random_transformer(make_masked_model, config); }

TEST(MaskedModelOfTransformers, HasTheLossOfItsLogits) {
  for (const TransformerConfig& config : every_transformer()) {
    SCOPED_TRACE(config.attention.score + " " + config.attention.window);
    const auto model = tiny_masked(config);
    const Batch batch = random_pairs(2, {{1, 9}, {1, 1}, {1, 4}}, config);
    const Masking masking = mask(batch, config.target_vocabulary, Rng(0));
    Arena arena;
    Scope scope(arena);
    const Var states = model->encode(scope, {masking.tokens, batch.target_segments}).states;  // [ΣS,H]
    const Tensor log_p = log_softmax(model->logits(states)).value();                          // [ΣS,V]
    double nll = 0;
    for (std::size_t i = 0; i < masking.places.size(); ++i) {
      nll -= double{log_p.row(masking.places[i])[static_cast<std::size_t>(masking.answers[i])]};
    }
    EXPECT_NEAR(nll_of(*model, batch), nll, kClose);
    EXPECT_EQ(model->predictions(batch), 2);
    EXPECT_TRUE(std::isfinite(trained_loss(*model, batch).first));
  }
}

TEST(MaskedModelOfTransformers, MayReadAStartBeforeEachSentence) {
  TransformerConfig config = tiny_transformer();
  config.masked.start = SentenceStart::kMarked;
  const auto model = tiny_masked(config);
  const Batch batch = random_pairs(2, {{1, 9}, {1, 1}, {1, 4}}, config);
  const Masking masking = mask(batch, config.target_vocabulary, Rng(0));
  double nll = 0;
  for (std::size_t i = 0; i < masking.places.size(); ++i) {
    Index b = 0;
    while (masking.places[i] >= batch.target_segments.begin(b) + batch.target_segments.length(b)) ++b;
    const auto begin = masking.tokens.begin() + batch.target_segments.begin(b);
    std::vector<TokenId> tokens{kBegin};
    tokens.insert(tokens.end(), begin, begin + batch.target_segments.length(b));
    Arena arena;
    Scope scope(arena);
    const Var states = model->encode(scope, {tokens, Segments::one(std::ssize(tokens))}).states;  // [S,H]
    const Index row = masking.places[i] - batch.target_segments.begin(b) + 1;
    nll -= double{log_softmax(model->logits(states)).value().row(row)[static_cast<std::size_t>(masking.answers[i])]};
  }
  EXPECT_NEAR(nll_of(*model, batch), nll, kClose);
}

TEST(MaskedModelOfTransformers, TellsTheSentencesOfATextApart) {
  TransformerConfig config = tiny_transformer();
  config.masked.sentence_types = 2;
  const auto model = tiny_masked(config);
  const auto first_state = [&](const std::vector<TokenId>& tokens) {
    Arena arena;
    Scope scope(arena);
    const Tensor y = model->encode(scope, {tokens, Segments::one(std::ssize(tokens))}).states.value();  // [S,H]
    return std::vector<Real>(y.row(0).begin(), y.row(0).end());
  };
  const std::vector<TokenId> one{4, 5, kEnd}, two{4, 5, kEnd, 6, kEnd, 7, kEnd};
  const std::vector<Real> of_one = first_state(one), of_two = first_state(two);
  for (Real& x : model->parameters().find("words.types.table")->value.row(1)) x += 1;
  EXPECT_EQ(first_state(one), of_one);
  EXPECT_NE(first_state(two), of_two);
}

TEST(MaskedModelOfTransformers, WithoutAHeadOnlyEncodes) {
  TransformerConfig config = tiny_transformer();
  config.masked.head = MaskedHead::kNone;
  const auto model = tiny_masked(config);
  EXPECT_FALSE(model->has_head());
  EXPECT_EQ(thrown<ConfigError>([&] { nll_of(*model, lines_of(1, 5)); }),
            "a masked language model without a head predicts no tokens; it only encodes them");
}

TEST(MaskedModelOfTransformers, CountsThePredictedTokens) {
  const auto model = tiny_masked(tiny_transformer());
  for (const Index length : {1, 2, 5, 10, 11, 40}) {
    const Batch batch = lines_of(3, length);
    EXPECT_EQ(model->predictions(batch), std::ssize(mask(batch, kManyWords, Rng(3)).places)) << length;
  }
}

TEST(MaskedModelOfTransformers, HasTheSameLossTwiceOutsideOfTraining) {
  const auto model = tiny_masked(tiny_transformer());
  const Batch batch = random_pairs(3, {{1, 12}, {1, 7}}, tiny_transformer());
  const double nll = nll_of(*model, batch);
  EXPECT_EQ(nll_of(*model, batch), nll);
  EXPECT_NEAR(nll_of(*model, sentence_of(batch, 0)) + nll_of(*model, sentence_of(batch, 1)), nll, kClose);
  EXPECT_NE(trained_loss(*model, batch).second, nll) << "training hides others";
}

TEST(MaskedModelOfTransformers, AttendsToBothSides) {
  const auto model = tiny_masked(tiny_transformer());
  const auto states = [&](const std::vector<TokenId>& tokens) {
    Arena arena;
    Scope scope(arena);
    const Tensor y = model->encode(scope, {tokens, Segments::one(std::ssize(tokens))}).states.value();  // [S,H]
    return std::vector<Real>(y.row(1).begin(), y.row(1).end());
  };
  const std::vector<Real> middle = states({4, kMask, 5, kEnd});
  EXPECT_EQ(states({4, kMask, 5, kEnd}), middle);
  EXPECT_NE(states({6, kMask, 5, kEnd}), middle);
  EXPECT_NE(states({4, kMask, 6, kEnd}), middle);
}

TEST(MaskedModelOfTransformers, ReportsAttention) {
  const auto model = tiny_masked(tiny_transformer());
  const Batch batch = random_pairs(4, {{3, 1}, {2, 1}}, tiny_transformer());
  Arena arena;
  Scope scope(arena);
  const MaskedModel::Encoding encoding = model->encode(scope, source_of(batch));
  EXPECT_EQ(encoding.states.shape(), (Shape{5, 4}));
  ASSERT_EQ(encoding.attention.size(), 2u);
  for (const AttentionStep& attention : encoding.attention) {
    EXPECT_EQ(attention.place, AttentionPlace::kEncoder);
    EXPECT_EQ(rows_that_sum_to_one(attention), 2 * (3 + 2));
  }
}

TEST(MaskedModelOfTransformers, AcceptsBatchesWithoutPredictions) {
  const auto model = tiny_masked(tiny_transformer());
  EXPECT_EQ(trained_loss(*model, make_batch({})), std::pair(0.0, 0.0));
  EXPECT_EQ(trained_loss(*model, random_pairs(5, {{1, 1}, {1, 1}}, tiny_transformer())), std::pair(0.0, 0.0));
}

TEST(MaskedModelOfTransformers, NeedsWords) {
  TransformerConfig config = tiny_transformer();
  config.source_vocabulary = config.target_vocabulary = 4;
  EXPECT_EQ(thrown<ConfigError>([&] { make_masked_model(config, Rng(1)); }),
            "a masked language model needs words; the vocabulary has 4 tokens, special ones included");
}

}  // namespace
}  // namespace dhyan
