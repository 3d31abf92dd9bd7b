#include "training/freeze.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "models/decoder_only.h"
#include "models/masked_model.h"
#include "models/testing/tiny_recurrent.h"
#include "models/testing/tiny_transformer.h"
#include "models/transformer_model.h"
#include "training/optimizers.h"

namespace dhyan {
namespace {

ParameterSet four_weights() {
  ParameterSet parameters;
  for (const char* name : {"encoder.0.U", "encoder.10.U", "encoders", "output.bias"}) parameters.add(name, {2});
  return parameters;
}

std::vector<std::string> frozen_by(const std::vector<std::string>& patterns) {
  ParameterSet parameters = four_weights();
  freeze(parameters, patterns);
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) {
    if (parameter.frozen) names.push_back(parameter.name);
  }
  return names;
}

TEST(Freeze, TakesNamesPrefixesAndPatterns) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(frozen_by({}), Names{});
  EXPECT_EQ(frozen_by({"encoder"}), (Names{"encoder.0.U", "encoder.10.U"}));
  EXPECT_EQ(frozen_by({"encoder.10"}), Names{"encoder.10.U"});
  EXPECT_EQ(frozen_by({"encoders", "output.bias"}), (Names{"encoders", "output.bias"}));
  EXPECT_EQ(frozen_by({"*.U"}), (Names{"encoder.0.U", "encoder.10.U"}));
  EXPECT_EQ(frozen_by({"encoder.?.U"}), Names{"encoder.0.U"});
}

TEST(Freeze, NamesAPatternWithoutMatch) {
  EXPECT_EQ(thrown<ConfigError>([] { frozen_by({"encodr"}); }),
            "freeze: no weight of the model is named 'encodr'; did you mean 'encoder'?");
  EXPECT_EQ(thrown<ConfigError>([] { frozen_by({"encoder.1"}); }),
            "freeze: no weight of the model is named 'encoder.1'; did you mean 'encoder.10'?");
  EXPECT_EQ(thrown<ConfigError>([] { frozen_by({"*"}); }), "freeze: all 4 weights are frozen; expected some to train");
}

// Freezes each weight in turn: the gradients of the others have the same bytes as without freezing.
void expect_other_gradients_unchanged(Model& model, const Batch& batch) {
  const auto gradients_of = [&] {
    GradientSet gradients(model.parameters());
    Tape tape(model.parameters());
    tape.start(gradients, Rng(5));
    Arena arena;
    Scope scope(arena, tape);
    tape.backward(model.loss(scope, batch, {.label_smoothing = 0.1, .r_drop = 1}).loss);
    return gradients;
  };
  const GradientSet free = gradients_of();
  for (Parameter& frozen : model.parameters()) {
    frozen.frozen = true;
    const GradientSet some = gradients_of();
    frozen.frozen = false;
    EXPECT_TRUE(some[frozen].untouched()) << frozen.name;
    for (const Parameter& other : model.parameters()) {
      if (&other == &frozen) continue;
      const std::span<const Real> a = some[other].value().span(), b = free[other].value().span();
      EXPECT_TRUE(std::ranges::equal(a, b)) << frozen.name << " changes " << other.name;
    }
  }
}

TEST(Freeze, DoesNotChangeTheGradientsOfOtherWeights) {
  const Batch batch = random_pairs(3, {{3, 3}, {2, 2}}, tiny_recurrent());
  for (const Timing timing : {Timing::kBefore, Timing::kAfter}) {
    RecurrentConfig config = tiny_recurrent();
    config.timing = timing;
    config.dropout = config.word_dropout = 0.2;
    config.layer_norm = true;
    expect_other_gradients_unchanged(*random_model(config), batch);
  }
  TransformerConfig config = tiny_transformer();
  config.dropout = config.word_dropout = 0.2;
  config.positions = "learned";
  expect_other_gradients_unchanged(*random_transformer(make_transformer_model, config), batch);
  expect_other_gradients_unchanged(*random_transformer(make_decoder_only_model, config), batch);
  expect_other_gradients_unchanged(*random_transformer(make_masked_model, config), batch);
}

TEST(Freeze, KeepsWeightsAndTheirStateWithEveryOptimizer) {
  for (const OptimizerEntry& entry : optimizers()) {
    ParameterSet parameters = four_weights();
    for (Parameter& parameter : parameters) parameter.value.fill(3);
    freeze(parameters, std::vector<std::string>{"encoder"});
    GradientSet gradients(parameters);
    for (Gradient& gradient : gradients) gradient.touch_all().fill(1);
    const auto optimizer = entry.make(parameters, {.momentum = 0.5, .weight_decay = 0.1});
    optimizer->step(parameters, gradients, 0.1);
    for (const Parameter& parameter : parameters) {
      EXPECT_EQ(parameter.value.data()[0] == 3, parameter.frozen) << entry.name << " " << parameter.name;
    }
    for (const NamedTensor& tensor : optimizer->state()) {
      EXPECT_TRUE(!tensor.name.starts_with("encoder.") || tensor.value.data()[0] == 0) << tensor.name;
    }
  }
}

}  // namespace
}  // namespace dhyan
