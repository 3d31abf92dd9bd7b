// Gradients of recurrent models, compared with finite differences for every element of every weight.

#include <gtest/gtest.h>

#include "attention/testing/made_up_score.h"
#include "models/recurrent_model.h"
#include "models/testing/tiny_recurrent.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

// Empty if backward and differences agree on d(loss)/d(every weight). The third sentence ends first, the second next.
// Steps are short: norms and cosines of a handful of numbers bend sharply, and the maxout layer has kinks.
std::string mismatch(const RecurrentConfig& config, const LossOptions& options = {}) {
  const auto model = random_model(config, 2);
  const Batch batch = random_pairs(3, {{3, 3}, {2, 2}, {3, 1}}, config);
  const auto loss = [&](Scope& scope, const std::vector<Var>&) { return model->loss(scope, batch, options).loss; };
  return module_jacobian_mismatch(model->parameters(), {}, loss, {.step = 1e-4});
}

// Differences of floats are too coarse for such steps.
class RecurrentGradients : public testing::Test {
 protected:
  void SetUp() override {
    if (sizeof(Real) != 8) GTEST_SKIP() << "needs doubles";
  }
};

TEST_F(RecurrentGradients, AreRightForEveryScoreTimingAndCell) {
  for (const ScoreEntry& score : scores()) {
    for (const Timing timing : {Timing::kBefore, Timing::kAfter}) {
      for (const CellEntry& cell : cells()) {
        RecurrentConfig config = tiny_recurrent();
        config.directions = Directions::kForward;  // queries and annotations are equally wide
        config.attention.score = score.name;
        config.timing = timing;
        config.cell = cell.name;
        EXPECT_EQ(mismatch(config), "") << score.name << " " << (timing == Timing::kBefore ? "before " : "after ")
                                        << cell.name;
      }
    }
  }
}

// The hard window samples; its gradient is not that of its result.
TEST_F(RecurrentGradients, AreRightForAScoreOfTheTest) {
  const LongerTable longer;
  RecurrentConfig config = tiny_recurrent();
  config.directions = Directions::kForward;
  config.attention.score = "made_up";
  config.attention.tables = longer.tables();
  EXPECT_EQ(mismatch(config), "");
}

TEST_F(RecurrentGradients, AreRightForEveryDifferentiableWindow) {
  for (const WindowEntry& window : windows()) {
    if (window.name == "hard") continue;
    for (const Timing timing : {Timing::kBefore, Timing::kAfter}) {
      RecurrentConfig config = tiny_recurrent();
      config.attention.window = window.name;
      config.timing = timing;
      EXPECT_EQ(mismatch(config), "") << window.name;
    }
  }
}

TEST_F(RecurrentGradients, AreRightWithoutAttention) {
  for (const ContextKind context : {ContextKind::kNone, ContextKind::kFixed}) {
    for (const CellEntry& cell : cells()) {
      for (const Directions directions : {Directions::kForward, Directions::kBoth}) {
        RecurrentConfig config = tiny_recurrent();
        config.context = context;
        config.cell = cell.name;
        config.directions = directions;
        EXPECT_EQ(mismatch(config), "") << cell.name;
      }
    }
  }
}

TEST_F(RecurrentGradients, AreRightForADecoderOfAnotherWidth) {
  for (const ContextKind context : {ContextKind::kNone, ContextKind::kFixed, ContextKind::kAttention}) {
    for (const Directions directions : {Directions::kForward, Directions::kBoth}) {
      RecurrentConfig config = tiny_recurrent();
      config.context = context;
      config.directions = directions;
      config.decoder_hidden = 5;
      EXPECT_EQ(mismatch(config), "");
    }
  }
}

TEST_F(RecurrentGradients, AreRightForEveryOutputAndTying) {
  for (const OutputKind output : {OutputKind::kMaxout, OutputKind::kDeepTanh, OutputKind::kTanh}) {
    for (const Tying tying : {Tying::kNone, Tying::kDecoder, Tying::kAll}) {
      RecurrentConfig config = tiny_recurrent();
      config.target_vocabulary = config.source_vocabulary;
      config.output = output;
      config.tying = tying;
      EXPECT_EQ(mismatch(config), "");
    }
  }
}

TEST_F(RecurrentGradients, AreRightWithAndWithoutInputFeeding) {
  for (const bool feeding : {true, false}) {
    for (const OutputKind output : {OutputKind::kMaxout, OutputKind::kDeepTanh, OutputKind::kTanh}) {
      RecurrentConfig config = tiny_recurrent();
      config.timing = Timing::kAfter;
      config.input_feeding = feeding;
      config.output = output;
      EXPECT_EQ(mismatch(config), "");
    }
  }
}

TEST_F(RecurrentGradients, AreRightThroughLayersResidualsAndDropout) {
  for (const Timing timing : {Timing::kBefore, Timing::kAfter}) {
    for (const auto& [encoder, decoder] : {std::pair<Index, Index>{2, 2}, {1, 3}}) {
      RecurrentConfig config = tiny_recurrent();
      config.timing = timing;
      config.directions = Directions::kForward;
      config.encoder_layers = encoder;
      config.decoder_layers = decoder;
      EXPECT_EQ(mismatch(config), "");
      config.dropout = 0.3;
      config.residual = true;
      EXPECT_EQ(mismatch(config), "");
    }
  }
}

TEST_F(RecurrentGradients, AreRightThroughLayerNorms) {
  for (const Timing timing : {Timing::kBefore, Timing::kAfter}) {
    RecurrentConfig config = tiny_recurrent();
    config.hidden = 3;  // of two, all but signs is normalised away
    config.output = OutputKind::kTanh;
    config.timing = timing;
    config.decoder_layers = 2;
    config.layer_norm = config.residual = true;
    EXPECT_EQ(mismatch(config), "");
  }
}

TEST_F(RecurrentGradients, AreRightBetweenTwoCellsAndThroughDeepTransitions) {
  for (const CellEntry& cell : cells()) {
    for (const bool inner_norm : {false, true}) {
      EXPECT_EQ(mismatch(deep_recurrent(cell.name, inner_norm)), "") << cell.name << inner_norm;
    }
  }
}

TEST_F(RecurrentGradients, AreRightForInnerNormsOfEveryOutput) {
  for (const OutputKind output : {OutputKind::kMaxout, OutputKind::kTanh}) {
    RecurrentConfig config = tiny_recurrent();
    config.hidden = 3;
    config.output = output;
    config.inner_norm = true;
    EXPECT_EQ(mismatch(config), "");
  }
}

TEST_F(RecurrentGradients, AreRightWithSmoothedLabelsAndTheModelsOwnWords) {
  EXPECT_EQ(mismatch(tiny_recurrent(), {.label_smoothing = 0.2}), "");
  EXPECT_EQ(mismatch(tiny_recurrent(), {.sampled = 0.5}), "");
}

TEST_F(RecurrentGradients, AreRightThroughTwoPasses) {
  RecurrentConfig config = tiny_recurrent();
  config.dropout = 0.3;
  EXPECT_EQ(mismatch(config, {.label_smoothing = 0.2, .r_drop = 2}), "");
}

}  // namespace
}  // namespace dhyan
