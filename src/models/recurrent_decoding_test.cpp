#include "models/recurrent_decoding.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/thrown.h"
#include "models/recurrent_model.h"
#include "models/tiny_recurrent.h"
#include "ops/softmax.h"

namespace dhyan {
namespace {

// Hypotheses of a sentence are multiplied with its source together; for a lone one a GEMM library has another kernel,
// and its sums may differ in the last bit.
constexpr double kAlone = sizeof(Real) == 8 ? 0 : 5e-6;

// One of each kind of decoder, and what else changes a step.
std::vector<RecurrentConfig> every_kind() {
  std::vector<RecurrentConfig> configs;
  for (const ContextKind context : {ContextKind::kNone, ContextKind::kFixed, ContextKind::kAttention}) {
    for (const OutputKind output : {OutputKind::kMaxout, OutputKind::kTanh}) {
      for (const Directions directions : {Directions::kForward, Directions::kBoth}) {
        RecurrentConfig config = tiny_recurrent();
        config.context = context;
        config.output = output;
        config.directions = directions;
        configs.push_back(config);
        config.cell = "lstm";
        config.timing = Timing::kAfter;
        config.decoder_layers = 2;
        config.layer_norm = config.residual = true;
        configs.push_back(config);
        config.input_feeding = false;
        config.attention.heads = 2;
        config.attention.hidden = 4;
        configs.push_back(config);
      }
    }
  }
  for (const WindowEntry& window : windows()) {
    configs.push_back(tiny_recurrent());
    configs.back().attention.window = window.name;
  }
  for (const ScoreEntry& score : scores()) {
    configs.push_back(tiny_recurrent());
    configs.back().directions = Directions::kForward;  // queries and annotations are equally wide
    configs.back().attention.score = score.name;
  }
  return configs;
}

SourceBatch source_of(const Batch& batch) { return {batch.source, batch.source_segments}; }

std::span<const TokenId> target_of(const Batch& batch, Index b) { return example_of(batch, b).target; }

// log p of each target of the batch, step by step, every sentence leaving when it is over.
std::vector<double> forced(const TranslationModel& model, const Batch& batch) {
  const auto decoding = model.decode(source_of(batch));
  const auto B = static_cast<std::size_t>(batch.sentences());
  std::vector<double> scores(B, 0);
  std::vector<RowId> row_of(B);
  std::iota(row_of.begin(), row_of.end(), RowId{0});
  for (Index t = 0; t < batch.target_segments.longest(); ++t) {
    std::vector<RowId> rows, sentences;
    std::vector<TokenId> tokens;
    std::vector<Index> counts(B, 0);
    for (std::size_t b = 0; b < B; ++b) {
      const auto target = target_of(batch, static_cast<Index>(b));
      if (t >= std::ssize(target)) continue;
      counts[b] = 1;
      rows.push_back(std::exchange(row_of[b], static_cast<RowId>(rows.size())));
      sentences.push_back(static_cast<RowId>(b));
      tokens.push_back(t == 0 ? kBegin : target[static_cast<std::size_t>(t) - 1]);
    }
    const DecoderStep step = decoding->step({rows, tokens, Segments::from_lengths(counts)});
    const Var log_p = log_softmax(step.logits);  // [A,V]
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      const auto b = static_cast<std::size_t>(sentences[i]);
      const TokenId word = target_of(batch, sentences[i])[static_cast<std::size_t>(t)];
      scores[b] += double{log_p.value().row(static_cast<Index>(i))[static_cast<std::size_t>(word)]};
    }
  }
  return scores;
}

TEST(RecurrentDecoding, ScoresATargetAsTheLossDoes) {
  for (const RecurrentConfig& config : every_kind()) {
    const auto model = random_model(config);
    const Batch batch = random_pairs(3, {{3, 2}, {1, 4}, {5, 1}, {2, 4}}, config);
    const std::vector<double> scores = forced(*model, batch);
    EXPECT_NEAR(-std::accumulate(scores.begin(), scores.end(), 0.0), nll_of(*model, batch), kClose);
  }
}

TEST(RecurrentDecoding, GivesASentenceTheSameScoreWhateverItsNeighbours) {
  for (RecurrentConfig config : every_kind()) {
    const auto model = random_model(config);
    const Batch batch = random_pairs(4, {{3, 2}, {1, 4}, {5, 1}, {2, 4}}, config);
    const std::vector<double> together = forced(*model, batch);
    for (Index b = 0; b < batch.sentences(); ++b) {
      const Example example = example_of(batch, b);
      const Batch alone = make_batch({&example, 1});
      EXPECT_EQ(together[static_cast<std::size_t>(b)], forced(*model, alone).front());
      EXPECT_NEAR(together[static_cast<std::size_t>(b)], -nll_of(*model, alone), kClose);
    }
  }
}

// The logits after a prefix, of one sentence by itself.
std::vector<Real> logits_after(const TranslationModel& model, const Batch& batch, Index b,
                               const std::vector<TokenId>& prefix) {
  const Example example = example_of(batch, b);
  const auto decoding = model.decode({example.source, Segments::one(std::ssize(example.source))});
  const RowId first = 0;
  std::vector<Real> logits;
  for (const TokenId& token : prefix) {
    const Var step = decoding->step({{&first, 1}, {&token, 1}, Segments::one(1)}).logits;  // [1,V]
    logits.assign(step.value().span().begin(), step.value().span().end());
  }
  return logits;
}

// A search that goes where chance takes it: hypotheses are copied, swapped and dropped, a sentence ends and so stays.
TEST(RecurrentDecoding, GoesOnFromTheHypothesisItIsToldTo) {
  constexpr Index kLive[][3] = {{1, 1, 1}, {3, 2, 1}, {2, 3, 0}, {4, 1, 0}, {2, 3, 0}};
  for (const RecurrentConfig& config : every_kind()) {
    const auto model = random_model(config);
    const Batch batch = random_pairs(5, {{3, 1}, {4, 1}, {1, 1}}, config);
    const auto decoding = model->decode(source_of(batch));
    EXPECT_EQ(decoding->sentences(), 3);
    Rng rng(6);
    std::vector<std::vector<TokenId>> prefixes(3);
    Segments before = Segments::singles(3);
    for (const auto& counts : kLive) {
      const Segments now = Segments::from_lengths(counts);
      std::vector<RowId> rows;
      std::vector<TokenId> tokens;
      std::vector<std::vector<TokenId>> longer;
      for (Index b = 0; b < 3; ++b) {
        for (Index k = 0; k < counts[b]; ++k) {
          const auto parent =
              static_cast<std::uint64_t>(before.begin(b)) + rng.below(static_cast<std::uint64_t>(before.length(b)));
          rows.push_back(static_cast<RowId>(parent));
          tokens.push_back(static_cast<TokenId>(rng.below(6)));
          longer.push_back(prefixes[parent]);
          longer.back().push_back(tokens.back());
        }
      }
      const DecoderStep step = decoding->step({rows, tokens, now});
      ASSERT_EQ(step.logits.shape(), (Shape{now.rows(), config.target_vocabulary}));
      for (Index b = 0; b < 3; ++b) {
        for (Index row = now.begin(b); row < now.end(b); ++row) {
          const auto alone = logits_after(*model, batch, b, longer[static_cast<std::size_t>(row)]);
          for (std::size_t v = 0; v < alone.size(); ++v) {
            EXPECT_NEAR(step.logits.value().row(row)[v], alone[v], kAlone);
          }
        }
      }
      prefixes = longer;
      before = now;
    }
  }
}

TEST(RecurrentDecoding, TellsWhatWasLookedAt) {
  RecurrentConfig config = tiny_recurrent();
  config.attention.heads = 2;
  config.attention.hidden = 4;
  const auto model = random_model(config);
  EXPECT_TRUE(model->attends());
  const Batch batch = random_pairs(7, {{3, 1}, {2, 1}}, config);
  const auto decoding = model->decode(source_of(batch));
  EXPECT_FALSE(decoding->thought());
  const std::vector<RowId> rows{0, 0, 1};
  const std::vector<TokenId> tokens(3, kBegin);
  const DecoderStep step = decoding->step({rows, tokens, Segments::from_lengths({2, 1})});
  ASSERT_EQ(step.attention.size(), 1u);
  const AttentionStep& attention = step.attention.front();
  EXPECT_EQ(attention.context.shape(), (Shape{3, 4}));
  EXPECT_EQ(attention.energy.shape(), attention.weights.shape());
  int rows_seen = 0;
  for_each_block(attention.pairing, [&](const kernels::PairingBlock& block) {
    for (Index t = 0; t < block.T; ++t, ++rows_seen) {
      const auto alpha = attention.weights.value().span().subspan(static_cast<std::size_t>(block.offset + t * block.S),
                                                                  static_cast<std::size_t>(block.S));
      EXPECT_NEAR(std::accumulate(alpha.begin(), alpha.end(), 0.0), 1, 1e-6);
    }
  });
  EXPECT_EQ(rows_seen, 2 * 3);
  EXPECT_EQ(attention.weights.value().size(), 2 * (2 * 3 + 1 * 2));
}

TEST(RecurrentDecoding, HasOneThoughtWhereThereIsNoAttention) {
  for (const ContextKind context : {ContextKind::kNone, ContextKind::kFixed}) {
    for (const Directions directions : {Directions::kForward, Directions::kBoth}) {
      RecurrentConfig config = tiny_recurrent();
      config.context = context;
      config.directions = directions;
      const auto model = random_model(config);
      EXPECT_FALSE(model->attends());
      const Batch batch = random_pairs(8, {{3, 1}, {2, 1}}, config);
      const auto decoding = model->decode(source_of(batch));
      EXPECT_EQ(decoding->thought().shape(), (Shape{2, directions == Directions::kBoth ? 4 : 2}));
      const std::vector<RowId> rows{0, 1};
      EXPECT_TRUE(decoding->step({rows, std::vector<TokenId>(2, kBegin), Segments::singles(2)}).attention.empty());
    }
  }
}

// An LSTM hands on state and memory, and where states are copied those of every layer.
TEST(RecurrentDecoding, HasAllThatTheDecoderSeesInItsThought) {
  RecurrentConfig config = tiny_recurrent();
  config.cell = "lstm";
  config.context = ContextKind::kNone;
  const auto width = [&config] {
    const Batch batch = random_pairs(8, {{3, 1}, {2, 1}}, config);
    return random_model(config)->decode(source_of(batch))->thought().cols();
  };
  EXPECT_EQ(width(), 2 * 2 * 2) << "h and c of two directions";
  config.directions = Directions::kForward;
  config.encoder_layers = config.decoder_layers = 3;
  EXPECT_EQ(width(), 3 * 2 * 2) << "h and c of three layers";
}

TEST(RecurrentDecoding, TakesAStepWithoutHypotheses) {
  for (const RecurrentConfig& config : every_kind()) {
    const auto model = random_model(config);
    const Batch batch = random_pairs(9, {{3, 1}, {2, 1}}, config);
    const auto decoding = model->decode(source_of(batch));
    EXPECT_EQ(decoding->step({{}, {}, Segments::from_lengths({0, 0})}).logits.shape(),
              (Shape{0, config.target_vocabulary}));
  }
}

TEST(RecurrentDecoding, SaysWhatDoesNotFit) {
  const auto model = random_model(tiny_recurrent());
  const Batch batch = random_pairs(10, {{3, 1}, {2, 1}}, tiny_recurrent());
  const auto decoding = model->decode(source_of(batch));
  const std::vector<RowId> rows{0, 2};
  const std::vector<TokenId> tokens{kBegin, kBegin};
  EXPECT_EQ(thrown<UsageError>([&] {
              decoding->step({rows, tokens, Segments::singles(3)});
            }),
            "Decoding::step: hypotheses are of 3 sentences, expected 2");
  EXPECT_EQ(thrown<UsageError>([&] {
              decoding->step({rows, {}, Segments::singles(2)});
            }),
            "Decoding::step: 2 rows and 0 tokens, expected one of each for 2 hypotheses");
  EXPECT_EQ(thrown<ShapeError>([&] {
              decoding->step({rows, tokens, Segments::singles(2)});
            }),
            "gather_rows: id 2 at position 1, expected 0 <= id < 2");
}

}  // namespace
}  // namespace dhyan
