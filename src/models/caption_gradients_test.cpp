// Gradients of models of pictures, compared with finite differences.

#include <cmath>
#include <gtest/gtest.h>

#include "models/testing/tiny_captions.h"
#include "models/transformer_model.h"

namespace dhyan {
namespace {

// Checks every element of every weight. The captions of pictures 2 and 1 end first.
std::string caption_mismatch(const TranslationModel& model, const ModelConfig& config,
                             const LossOptions& options = {}) {
  const Batch batch = random_captions(3, {3, 2, 1}, config);
  const auto loss = [&](Scope& scope, const std::vector<Var>&) { return model.loss(scope, batch, options).loss; };
  return module_jacobian_mismatch(model.parameters(), {}, loss, {.step = 1e-4});
}

double loss_of(const TranslationModel& model, const Batch& batch) {
  Arena arena;
  Scope scope(arena);
  return double{model.loss(scope, batch).loss.value().item()};
}

// For models with too many elements: moves all elements of a weight at once, in a random direction.
void expect_right_slopes(TranslationModel& model, const ModelConfig& config) {
  const Batch batch = random_captions(3, {3, 2, 1}, config);
  GradientSet gradients(model.parameters());
  Tape tape(model.parameters());
  tape.start(gradients, Rng(5));
  {
    Arena arena;
    Scope scope(arena, tape);
    tape.backward(model.loss(scope, batch).loss);
  }
  Rng rng(6);
  constexpr double kStep = 1e-6;
  for (Parameter& weight : model.parameters()) {
    const Tensor before = weight.value.clone(), gradient = gradients[weight].value();
    std::vector<double> way;
    double expected = 0;
    for (const Real g : gradient.span()) {
      way.push_back(rng.uniform(-1, 1));
      expected += way.back() * double{g};
    }
    const auto moved = [&](double step) {
      for (std::size_t i = 0; i < way.size(); ++i) weight.value.span()[i] = before.span()[i] + Real(step * way[i]);
      return loss_of(model, batch);
    };
    const double slope = (moved(kStep) - moved(-kStep)) / (2 * kStep);
    moved(0);
    EXPECT_NEAR(slope, expected, 1e-6 * (1 + std::abs(expected))) << weight.name;
  }
}

// Differences of floats are too coarse for such steps.
class CaptionGradients : public testing::Test {
 protected:
  void SetUp() override {
    if (sizeof(Real) != 8) GTEST_SKIP() << "needs doubles";
  }
};

TEST_F(CaptionGradients, AreRightForEveryContextTimingAndCell) {
  for (const ContextKind context : {ContextKind::kNone, ContextKind::kFixed, ContextKind::kAttention}) {
    for (const Timing timing : {Timing::kBefore, Timing::kAfter}) {
      for (const CellEntry& cell : cells()) {
        RecurrentConfig config = tiny_captions();
        config.context = context;
        config.timing = timing;
        config.cell = cell.name;
        config.output = OutputKind::kDeepTanh;
        EXPECT_EQ(caption_mismatch(*random_model(config, 2), config), "") << cell.name;
      }
    }
  }
}

TEST_F(CaptionGradients, AreRightThroughDropoutAndSmoothedLabels) {
  RecurrentConfig config = tiny_captions();
  config.dropout = 0.3;
  config.output = OutputKind::kTanh;
  EXPECT_EQ(caption_mismatch(*random_model(config, 2), config, {.label_smoothing = 0.2}), "");
  EXPECT_EQ(caption_mismatch(*random_model(config, 2), config, {.r_drop = 2}), "");
}

TEST_F(CaptionGradients, AreRightForTransformers) {
  for (const NormPlace norm : {NormPlace::kBefore, NormPlace::kAfter}) {
    for (const double dropout : {0.0, 0.3}) {
      TransformerConfig config = tiny_caption_transformer();
      config.norm = norm;
      config.dropout = config.attention.dropout = dropout;
      const auto model = random_transformer(make_transformer_model, config, 2);
      EXPECT_EQ(caption_mismatch(*model, config), "");
    }
  }
}

TEST_F(CaptionGradients, AreRightThroughConvolutions) {
  const RecurrentConfig recurrent = with_convolutions(tiny_captions());
  expect_right_slopes(*make_recurrent_model(recurrent, Rng(2)), recurrent);
  const TransformerConfig transformer = with_convolutions(tiny_caption_transformer());
  expect_right_slopes(*make_transformer_model(transformer, Rng(2)), transformer);
}

}  // namespace
}  // namespace dhyan
