#include "models/transformer_decoding.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "models/testing/decode_checks.h"
#include "models/testing/tiny_transformer.h"
#include "models/transformer_model.h"

namespace dhyan {
namespace {

// Logits step by step with a cache, and by one pass over all targets.
void expect_the_same_logits(const TransformerConfig& config, const Batch& batch) {
  SCOPED_TRACE(config.attention.score + " " + config.attention.window);
  ParameterSet parameters;
  const TransformerNetwork network(parameters, config, Rng(0));
  randomise(parameters, 1);
  const std::vector<TokenId> inputs = decoder_inputs(batch);
  Arena arena;
  Scope scope(arena);
  const Var y = network.teacher_forced(scope, source_of(batch), inputs, batch.target_segments).y;  // [ΣT,H]
  const Tensor whole = output_logits(y, network.output(scope)).value();                            // [ΣT,V]
  TransformerDecoding decoding(network, source_of(batch));
  const Tensor cached = stepwise_logits(decoding, inputs, batch.target_segments);  // [ΣT,V]
  ASSERT_EQ(cached.shape(), whole.shape());
  for (Index i = 0; i < whole.size(); ++i) ASSERT_EQ(cached.data()[i], whole.data()[i]) << i;
}

TEST(TransformerDecoding, GivesTheSameLogitsCachedAndUncached) {
  for (const TransformerConfig& config : every_transformer()) {
    expect_the_same_logits(config, random_pairs(3, {{3, 2}, {1, 4}, {5, 1}, {2, 7}}, config));
  }
}

TEST(TransformerDecoding, GivesTheSameLogitsWhenTheCacheHasGrown) {
  const TransformerConfig config = tiny_transformer();
  expect_the_same_logits(config, random_pairs(3, {{3, 70}, {4, 5}, {2, 40}}, config));
}

TEST(TransformerDecoding, ScoresATargetAsTheLossDoes) {
  for (const TransformerConfig& config : every_transformer()) {
    const auto model = random_transformer(make_transformer_model, config);
    const Batch batch = random_pairs(3, {{3, 2}, {1, 4}, {5, 1}, {2, 4}}, config);
    const std::vector<double> scores = forced(*model, batch);
    EXPECT_NEAR(-std::accumulate(scores.begin(), scores.end(), 0.0), nll_of(*model, batch), kClose);
  }
}

TEST(TransformerDecoding, GivesASentenceTheSameScoreInAnyBatch) {
  for (const TransformerConfig& config : every_transformer()) {
    SCOPED_TRACE(config.attention.score + " " + config.attention.window);
    const auto model = random_transformer(make_transformer_model, config);
    const Batch batch = random_pairs(4, {{3, 2}, {1, 4}, {5, 1}, {2, 4}}, config);
    const std::vector<double> together = forced(*model, batch);
    for (Index b = 0; b < batch.sentences(); ++b) {
      EXPECT_EQ(together[static_cast<std::size_t>(b)], forced(*model, sentence_of(batch, b)).front()) << b;
    }
  }
}

TEST(TransformerDecoding, ContinuesTheHypothesisItIsGiven) {
  for (const TransformerConfig& config : every_transformer()) {
    SCOPED_TRACE(config.attention.score + " " + config.attention.window);
    const auto model = random_transformer(make_transformer_model, config);
    expect_right_continuations([&](const SourceBatch& source) { return model->decode(source); },
                               random_pairs(5, {{3, 1}, {4, 1}, {1, 1}}, config), config.target_vocabulary);
  }
}

TEST(TransformerDecoding, GivesTheSameLogitsWhenAttentionIsNotKept) {
  for (const TransformerConfig& config : every_transformer()) {
    SCOPED_TRACE(config.attention.score + " " + config.attention.window);
    const auto model = random_transformer(make_transformer_model, config);
    const Batch batch = random_pairs(6, {{3, 1}, {4, 1}, {1, 1}}, config);
    const auto looked_at = model->decode(source_of(batch));
    SourceBatch source = source_of(batch);
    source.attention = KeepAttention::kNo;
    const auto decoding = model->decode(source);
    EXPECT_TRUE(decoding->source_attention().empty());
    const std::vector<RowId> rows{0, 1, 2};
    for (const TokenId token : {kBegin, kEnd, kUnknown}) {
      const std::vector<TokenId> tokens(3, token);
      Continuation continuation{rows, tokens, Segments::singles(3)};
      const Tensor expected = looked_at->step(continuation).logits.value();  // [3,V]
      continuation.attention = KeepAttention::kNo;
      const DecoderStep step = decoding->step(continuation);
      EXPECT_TRUE(step.attention.empty());
      EXPECT_TRUE(std::ranges::equal(step.logits.value().span(), expected.span()));
    }
  }
}

TEST(TransformerDecoding, ReportsAttentionInAllThreePlaces) {
  const TransformerConfig config = tiny_transformer();
  const auto model = random_transformer(make_transformer_model, config);
  EXPECT_TRUE(model->attends());
  const Batch batch = random_pairs(7, {{3, 1}, {2, 1}}, config);
  const auto decoding = model->decode(source_of(batch));
  const Segments hypotheses = Segments::from_lengths({2, 1});
  const std::vector<RowId> begin{0, 0, 1}, on{1, 0, 2};
  decoding->step({begin, std::vector<TokenId>(3, kBegin), hypotheses});
  const DecoderStep step = decoding->step({on, std::vector<TokenId>(3, 5), hypotheses});
  ASSERT_EQ(step.attention.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const AttentionStep& attention = step.attention[i];
    EXPECT_EQ(attention.place, i < 2 ? AttentionPlace::kCross : AttentionPlace::kDecoder);
    EXPECT_EQ(attention.layer, static_cast<Index>(i % 2));
    EXPECT_EQ(rows_that_sum_to_one(attention), 2 * 3);
    EXPECT_EQ(attention.weights.value().size(), i < 2 ? 2 * (2 * 3 + 1 * 2) : 2 * 3 * 2);
    EXPECT_EQ(attention.context.shape(), (Shape{3, 4}));
  }
  const std::vector<AttentionStep> source = decoding->source_attention();
  ASSERT_EQ(source.size(), 2u);
  for (const AttentionStep& attention : source) {
    EXPECT_EQ(attention.place, AttentionPlace::kEncoder);
    EXPECT_EQ(rows_that_sum_to_one(attention), 2 * (3 + 2));
    EXPECT_EQ(attention.weights.value().size(), 2 * (3 * 3 + 2 * 2));
  }
}

TEST(TransformerDecoding, AttendsByEditedWeightsFromTheirStepOn) {
  for (const TransformerConfig& config : every_transformer()) {
    SCOPED_TRACE(config.attention.score + " " + config.attention.window);
    const auto model = random_transformer(make_transformer_model, config);
    expect_edits_from_their_step_on([&](const SourceBatch& source) { return model->decode(source); },
                                    random_pairs(8, {{4, 5}, {3, 4}}, config));
  }
}

TEST(TransformerDecoding, TakesAStepWithoutHypotheses) {
  const auto model = random_transformer(make_transformer_model, tiny_transformer());
  const Batch batch = random_pairs(9, {{3, 1}, {2, 1}}, tiny_transformer());
  const auto decoding = model->decode(source_of(batch));
  for (int t = 0; t < 2; ++t) {
    EXPECT_EQ(decoding->step({{}, {}, Segments::from_lengths({0, 0})}).logits.shape(), (Shape{0, 8}));
  }
}

TEST(TransformerDecoding, RefusesAnInconsistentStep) {
  const auto model = random_transformer(make_transformer_model, tiny_transformer());
  const Batch batch = random_pairs(10, {{3, 1}, {2, 1}}, tiny_transformer());
  const auto decoding = model->decode(source_of(batch));
  const std::vector<RowId> rows{0, 2};
  const std::vector<TokenId> tokens{kBegin, kBegin};
  EXPECT_EQ(thrown<UsageError>([&] {
              decoding->step({rows, tokens, Segments::singles(3)});
            }),
            "Decoding::step: hypotheses are of 3 sentences, expected 2");
  EXPECT_EQ(thrown<UsageError>([&] {
              decoding->step({rows, tokens, Segments::singles(2)});
            }),
            "Decoding::step: goes on from hypothesis 2, there were 2");
}

}  // namespace
}  // namespace dhyan
