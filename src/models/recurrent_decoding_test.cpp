#include "models/recurrent_decoding.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "models/recurrent_model.h"
#include "models/testing/decode_checks.h"
#include "models/testing/tiny_recurrent.h"

namespace dhyan {
namespace {

// Each kind of decoder, and other options of a step.
std::vector<RecurrentConfig> every_kind() {
  std::vector<RecurrentConfig> configs;
  for (const ContextKind context : {ContextKind::kNone, ContextKind::kFixed, ContextKind::kAttention}) {
    for (const OutputKind output : {OutputKind::kMaxout, OutputKind::kDeepTanh, OutputKind::kTanh}) {
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
        config.decoder_hidden = 4;
        config.attention.heads = 2;
        config.attention.hidden = 4;
        configs.push_back(config);
      }
    }
  }
  for (const CellEntry& cell : cells()) {
    for (const bool inner_norm : {false, true}) configs.push_back(deep_recurrent(cell.name, inner_norm));
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

TEST(RecurrentDecoding, ScoresATargetAsTheLossDoes) {
  for (const RecurrentConfig& config : every_kind()) {
    const auto model = random_model(config);
    const Batch batch = random_pairs(3, {{3, 2}, {1, 4}, {5, 1}, {2, 4}}, config);
    const std::vector<double> scores = forced(*model, batch);
    EXPECT_NEAR(-std::accumulate(scores.begin(), scores.end(), 0.0), nll_of(*model, batch), kClose);
  }
}

TEST(RecurrentDecoding, GivesASentenceTheSameScoreInAnyBatch) {
  for (RecurrentConfig config : every_kind()) {
    const auto model = random_model(config);
    const Batch batch = random_pairs(4, {{3, 2}, {1, 4}, {5, 1}, {2, 4}}, config);
    const std::vector<double> together = forced(*model, batch);
    for (Index b = 0; b < batch.sentences(); ++b) {
      const Batch alone = sentence_of(batch, b);
      EXPECT_EQ(together[static_cast<std::size_t>(b)], forced(*model, alone).front());
      EXPECT_NEAR(together[static_cast<std::size_t>(b)], -nll_of(*model, alone), kClose);
    }
  }
}

TEST(RecurrentDecoding, ContinuesTheHypothesisItIsGiven) {
  for (const RecurrentConfig& config : every_kind()) {
    const auto model = random_model(config);
    const Batch batch = random_pairs(5, {{3, 1}, {4, 1}, {1, 1}}, config);
    expect_right_continuations([&](const SourceBatch& source) { return model->decode(source); }, batch,
                               config.target_vocabulary);
  }
}

TEST(RecurrentDecoding, ReportsAttention) {
  RecurrentConfig config = tiny_recurrent();
  config.attention.heads = 2;
  config.attention.hidden = 4;
  const auto model = random_model(config);
  EXPECT_TRUE(model->attends());
  const Batch batch = random_pairs(7, {{3, 1}, {2, 1}}, config);
  const auto decoding = model->decode(source_of(batch));
  EXPECT_FALSE(decoding->context_vector());
  const std::vector<RowId> rows{0, 0, 1};
  const std::vector<TokenId> tokens(3, kBegin);
  const DecoderStep step = decoding->step({rows, tokens, Segments::from_lengths({2, 1})});
  ASSERT_EQ(step.attention.size(), 1u);
  const AttentionStep& attention = step.attention.front();
  EXPECT_EQ(attention.context.shape(), (Shape{3, 4}));
  EXPECT_EQ(rows_that_sum_to_one(attention), 2 * 3);
  EXPECT_EQ(attention.weights.value().size(), 2 * (2 * 3 + 1 * 2));
}

TEST(RecurrentDecoding, AttendsByEditedWeightsFromTheirStepOn) {
  for (const RecurrentConfig& config : every_kind()) {
    if (config.context != ContextKind::kAttention) continue;
    const auto model = random_model(config);
    expect_edits_from_their_step_on([&](const SourceBatch& source) { return model->decode(source); },
                                    random_pairs(8, {{4, 5}, {3, 4}}, config));
  }
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
      EXPECT_EQ(decoding->context_vector().shape(), (Shape{2, directions == Directions::kBoth ? 4 : 2}));
      const std::vector<RowId> rows{0, 1};
      EXPECT_TRUE(decoding->step({rows, std::vector<TokenId>(2, kBegin), Segments::singles(2)}).attention.empty());
    }
  }
}

// An LSTM passes on state and memory; if states are copied, those of every layer.
TEST(RecurrentDecoding, HasAllInputsOfTheDecoderInItsContextVector) {
  RecurrentConfig config = tiny_recurrent();
  config.cell = "lstm";
  config.context = ContextKind::kNone;
  const auto width = [&config] {
    const Batch batch = random_pairs(8, {{3, 1}, {2, 1}}, config);
    return random_model(config)->decode(source_of(batch))->context_vector().cols();
  };
  EXPECT_EQ(width(), 2 * 2 * 2) << "h and c of two directions";
  config.directions = Directions::kForward;
  config.encoder_layers = config.decoder_layers = 3;
  EXPECT_EQ(width(), 3 * 2 * 2) << "h and c of three layers";
}

TEST(RecurrentDecoding, AcceptsAStepWithoutHypotheses) {
  for (const RecurrentConfig& config : every_kind()) {
    const auto model = random_model(config);
    const Batch batch = random_pairs(9, {{3, 1}, {2, 1}}, config);
    const auto decoding = model->decode(source_of(batch));
    EXPECT_EQ(decoding->step({{}, {}, Segments::from_lengths({0, 0})}).logits.shape(),
              (Shape{0, config.target_vocabulary}));
  }
}

TEST(RecurrentDecoding, RefusesAnInconsistentStep) {
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
