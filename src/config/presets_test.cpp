#include "config/presets.h"

#include <gtest/gtest.h>

#include "config/model_kinds.h"
#include "config/options.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

Config configured(std::string_view name) {
  Config config;
  assign(config, preset(name));
  return config;
}

TEST(Presets, CanAllBeUsedAndHaveADescription) {
  EXPECT_GE(preset_texts().size(), 6u);
  for (const PresetText& text : preset_texts()) {
    Config config = configured(text.name);
    config.encoder_weights = "backbone.safetensors";  // a pretrained backbone needs a file
    EXPECT_NO_THROW(check(config)) << text.name;
    EXPECT_TRUE(text.yaml.starts_with("# ")) << text.name;
    EXPECT_GT(summary(text).size(), 20u) << text.name;
  }
}

TEST(Presets, MatchTheModelsOfTheirPapers) {
  EXPECT_EQ(configured("seq2seq").recurrent.context, ContextKind::kNone);
  EXPECT_EQ(configured("seq2seq-context").recurrent.context, ContextKind::kFixed);
  const RecurrentConfig search = recurrent_config(configured("rnnsearch-paper"));
  EXPECT_EQ(search.timing, Timing::kBefore);
  EXPECT_EQ(search.attention.score, "additive");
  EXPECT_EQ(search.directions, Directions::kBoth);
  EXPECT_EQ(search.hidden, 1000);
  EXPECT_EQ(search.embedding, 620);
  EXPECT_EQ(search.output_hidden, 500);
  EXPECT_EQ(search.attention.hidden, 1000);
  const Config luong = configured("luong-paper");
  EXPECT_EQ(luong.recurrent.timing, Timing::kAfter);
  EXPECT_EQ(luong.common.encoder_layers, 4);
  EXPECT_EQ(luong.training.optimizer, "sgd");
  EXPECT_EQ(luong.training.clip_norm, 5);
}

TEST(Presets, AreRefusedWithTheNearestName) {
  EXPECT_EQ(thrown<UsageError>([] { preset("rnnserch"); }).substr(0, 63),
            "there is no preset 'rnnserch'; did you mean 'rnnsearch'? Known ");
}

}  // namespace
}  // namespace dhyan
