#include "models/decoder_only.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "models/decoder_only_decoding.h"
#include "models/testing/decode_checks.h"
#include "models/testing/tiny_transformer.h"

namespace dhyan {
namespace {

class OneSequence : public testing::Test {
 protected:
  void build(const TransformerConfig& config) {
    parameters_ = {};
    network_ = std::make_unique<DecoderOnlyNetwork>(parameters_, config, Rng(0));
    randomise(parameters_, 1);
  }

  // Logits by one pass over whole sequences, uncached.
  Tensor logits(std::span<const TokenId> tokens, const Segments& segments) {  // [R,V]
    arena_.reset();
    Scope scope(arena_);
    return output_logits((*network_)(scope, tokens, segments).y, network_->output(scope)).value();
  }

  ParameterSet parameters_;
  std::unique_ptr<DecoderOnlyNetwork> network_;
  Arena arena_;
};

TransformerConfig with_learned_positions(Index longest) {
  TransformerConfig config = tiny_transformer();
  config.positions = "learned";
  config.longest = longest;
  return config;
}

TEST_F(OneSequence, DoesNotAttendToLaterWords) {
  for (const TransformerConfig& config : every_transformer()) {
    SCOPED_TRACE(config.attention.score + " " + config.attention.window);
    build(config);
    std::vector<TokenId> tokens{4, 5, 6, 7, 4};
    const Tensor before = logits(tokens, Segments::one(5));
    const std::vector<Real> old(before.span().begin(), before.span().end());
    tokens[3] = 5;
    const Tensor after = logits(tokens, Segments::one(5));
    EXPECT_TRUE(std::equal(old.begin(), old.begin() + 3 * 8, after.data()));
    EXPECT_FALSE(std::equal(old.begin() + 3 * 8, old.begin() + 4 * 8, after.data() + 3 * 8));
  }
}

// A part of each text, of one text nothing, is read at once; the rest follows word by word.
TEST_F(OneSequence, ContinuesPromptsOfDifferentLengths) {
  for (const TransformerConfig& config : every_transformer()) {
    SCOPED_TRACE(config.attention.score + " " + config.attention.window);
    build(config);
    const Batch texts = random_pairs(2, {{7, 1}, {4, 1}, {5, 1}}, config);
    const Segments& whole = texts.source_segments;
    const std::vector<Index> read{3, 0, 4};
    std::vector<TokenId> prompts, rest;
    std::vector<Index> left;
    for (Index b = 0; b < 3; ++b) {
      const auto text = example_of(texts, b).source;
      const auto cut = text.begin() + read[static_cast<std::size_t>(b)];
      prompts.insert(prompts.end(), text.begin(), cut);
      rest.insert(rest.end(), cut, text.end());
      left.push_back(text.end() - cut);
    }
    DecoderOnlyDecoding decoding(*network_, {prompts, Segments::from_lengths(read)});
    EXPECT_EQ(decoding.sentences(), 3);
    const Segments segments = Segments::from_lengths(left);
    const Tensor cached = stepwise_logits(decoding, rest, segments);  // [rest,V]
    const Tensor uncached = logits(texts.source, whole);              // [ΣS,V]
    for (Index b = 0; b < 3; ++b) {
      const Index from = whole.begin(b) + read[static_cast<std::size_t>(b)];
      for (Index i = 0; i < segments.length(b); ++i) {
        EXPECT_TRUE(std::ranges::equal(cached.row(segments.begin(b) + i), uncached.row(from + i))) << b << ' ' << i;
      }
    }
  }
}

TEST_F(OneSequence, ReadsTheSecondHalfAgainWhenTheContextIsFull) {
  for (const Index context : {1, 2, 5, 6}) {
    SCOPED_TRACE(context);
    build(with_learned_positions(context));  // which know no further
    const Batch texts = random_pairs(3, {{17, 1}, {9, 1}}, tiny_transformer());
    const auto long_text = example_of(texts, 0).source, short_text = example_of(texts, 1).source;
    DecoderOnlyDecoding decoding(*network_, {long_text.first(8), Segments::from_lengths({8, 0})}, context);
    // The last part of the prompt that leaves room for one token.
    std::vector<std::vector<TokenId>> known{{long_text.begin() + 8 - (context - 1), long_text.begin() + 8}, {}};
    for (std::size_t t = 0; t < 9; ++t) {
      const std::vector<TokenId> tokens{long_text[8 + t], short_text[t]};
      const std::vector<RowId> rows{0, 1};
      const Tensor got = decoding.step({rows, tokens, Segments::singles(2)}).logits.value();  // [2,V]
      for (std::size_t b = 0; b < 2; ++b) {
        std::vector<TokenId>& text = known[b];
        if (std::ssize(text) >= context) text.erase(text.begin(), text.end() - context / 2);
        text.push_back(tokens[b]);
        const Tensor all = logits(text, Segments::one(std::ssize(text)));  // [T,V]
        EXPECT_TRUE(std::ranges::equal(got.row(static_cast<Index>(b)), all.row(all.rows() - 1))) << t << ' ' << b;
      }
    }
  }
}

TEST_F(OneSequence, ReportsAttention) {
  build(tiny_transformer());
  const std::vector<TokenId> prompts{4, 5, 6};
  DecoderOnlyDecoding decoding(*network_, {prompts, Segments::from_lengths({3, 0})});
  const std::vector<RowId> rows{0, 0, 1};
  const std::vector<TokenId> tokens{4, 5, 6};
  const DecoderStep step = decoding.step({rows, tokens, Segments::from_lengths({2, 1})});
  ASSERT_EQ(step.attention.size(), 2u);
  for (const AttentionStep& attention : step.attention) {
    EXPECT_EQ(attention.place, AttentionPlace::kDecoder);
    EXPECT_EQ(rows_that_sum_to_one(attention), 2 * 3);
    EXPECT_EQ(attention.weights.value().size(), 2 * (4 + 4 + 1));
  }
}

TEST_F(OneSequence, RefusesAMissingHypothesis) {
  build(tiny_transformer());
  const std::vector<TokenId> token{4};
  const std::vector<RowId> row{1};
  for (const Index read : {0, 1}) {
    DecoderOnlyDecoding decoding(*network_,
                                 {std::span(token).first(static_cast<std::size_t>(read)), Segments::one(read)});
    EXPECT_EQ(thrown<UsageError>([&] {
                decoding.step({row, token, Segments::one(1)});
              }),
              "Decoding::step: goes on from hypothesis 1, there were 1");
  }
}

TEST(LanguageModel, HasTheLossOfItsSteps) {
  for (const TransformerConfig& config : every_transformer()) {
    const auto model = random_transformer(make_language_model, config);
    const Batch batch = random_pairs(4, {{5, 5}, {1, 1}, {3, 3}}, config);
    const auto decoding = model->decode({{}, Segments::from_lengths({0, 0, 0})});
    const std::vector<double> scores =
        target_scores(stepwise_logits(*decoding, batch.source, batch.source_segments), batch);
    EXPECT_NEAR(-std::accumulate(scores.begin(), scores.end(), 0.0), nll_of(*model, batch), kClose);
    for (Index b = 0; b < 3; ++b) {
      EXPECT_NEAR(-scores[static_cast<std::size_t>(b)], nll_of(*model, sentence_of(batch, b)), kClose) << b;
    }
    EXPECT_EQ(model->predictions(batch), 9);
  }
}

TEST(LanguageModel, ContinuesATextLongerThanItsContext) {
  const TransformerConfig config = with_learned_positions(4);
  const auto model = random_transformer(make_language_model, config);
  const Batch text = random_pairs(5, {{30, 1}}, config);
  const auto decoding = model->decode({{}, Segments::one(0)});
  EXPECT_EQ(stepwise_logits(*decoding, text.source, text.source_segments).rows(), 30);
}

TEST(LanguageModel, TakesABatchWithoutText) {
  const auto model = random_transformer(make_language_model, tiny_transformer());
  EXPECT_EQ(trained_loss(*model, make_batch({})), std::pair(0.0, 0.0));
}

TEST(PromptedTranslation, ScoresATargetAsTheLossDoesInAnyBatch) {
  for (const TransformerConfig& config : every_transformer()) {
    SCOPED_TRACE(config.attention.score + " " + config.attention.window);
    const auto model = random_transformer(make_decoder_only_model, config);
    EXPECT_TRUE(model->attends());
    const Batch batch = random_pairs(3, {{3, 2}, {1, 4}, {5, 1}, {2, 4}}, config);
    const std::vector<double> scores = forced(*model, batch);
    EXPECT_NEAR(-std::accumulate(scores.begin(), scores.end(), 0.0), nll_of(*model, batch), kClose);
    for (Index b = 0; b < batch.sentences(); ++b) {
      const Batch alone = sentence_of(batch, b);
      EXPECT_EQ(scores[static_cast<std::size_t>(b)], forced(*model, alone).front()) << b;
      EXPECT_NEAR(scores[static_cast<std::size_t>(b)], -nll_of(*model, alone), kClose) << b;
    }
  }
}

TEST(PromptedTranslation, ContinuesTheHypothesisItIsGiven) {
  for (const TransformerConfig& config : every_transformer()) {
    SCOPED_TRACE(config.attention.score + " " + config.attention.window);
    const auto model = random_transformer(make_decoder_only_model, config);
    expect_right_continuations([&](const SourceBatch& source) { return model->decode(source); },
                               random_pairs(5, {{3, 1}, {4, 1}, {1, 1}}, config), config.target_vocabulary);
  }
}

TEST(PromptedTranslation, NeedsOneVocabulary) {
  TransformerConfig config = tiny_transformer();
  config.source_vocabulary = 9;
  EXPECT_EQ(thrown<ConfigError>([&] { make_decoder_only_model(config, Rng(1)); }),
            "one table for both languages needs one vocabulary; they have 9 and 8 words");
  EXPECT_EQ(trained_loss(*make_decoder_only_model(tiny_transformer(), Rng(1)), make_batch({})), std::pair(0.0, 0.0));
}

}  // namespace
}  // namespace dhyan
