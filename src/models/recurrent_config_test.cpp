#include "models/recurrent_config.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

RecurrentConfig good() { return {{.source_vocabulary = 10, .target_vocabulary = 12}, {}}; }

TEST(RecurrentConfig, TheDefaultsCanBeBuilt) { EXPECT_NO_THROW(check(good())); }

TEST(RecurrentConfig, NamesSettingsOutOfRange) {
  RecurrentConfig config = good();
  config.decoder_layers = 0;
  EXPECT_EQ(thrown<ConfigError>([&] { check(config); }), "number of decoder layers is 0, expected 1 or more");
  config = good();
  config.decoder_hidden = -1;
  EXPECT_EQ(thrown<ConfigError>([&] { check(config); }), "hidden width of the decoder is -1, expected 1 or more");
  config = good();
  config.dropout = 1;
  EXPECT_EQ(thrown<ConfigError>([&] { check(config); }), "dropout is 1, expected 0 <= p < 1");
  config = good();
  config.encoder_transitions = 65;
  EXPECT_EQ(thrown<ConfigError>([&] { check(config); }), "transitions of the encoder is 65, expected 0 to 64");
  config = good();
  config.cell = "gruu";
  EXPECT_EQ(thrown<ConfigError>([&] { check(config); }), "cell: 'gruu' is none of rnn, gru, lstm");
}

TEST(RecurrentConfig, InnerNormsNeedTheScoreAdditive) {
  RecurrentConfig config = good();
  config.inner_norm = true;
  EXPECT_NO_THROW(check(config));
  config.attention.score = "general";
  EXPECT_EQ(thrown<ConfigError>([&] { check(config); }), "inner-norm is about the score additive; score is general");
}

TEST(RecurrentConfig, ChecksAttentionOnlyIfTheModelHasIt) {
  RecurrentConfig config = good();
  config.attention.heads = 0;
  EXPECT_THROW(check(config), ConfigError);
  config.context = ContextKind::kFixed;
  EXPECT_NO_THROW(check(config));
}

TEST(RecurrentConfig, DotScoreNeedsEqualWidths) {
  RecurrentConfig config = good();
  config.attention.score = "dot";
  EXPECT_EQ(thrown<ConfigError>([&] { check(config); }),
            "score dot: queries are 256 wide and annotations 512; it needs them equally wide: read the source in one "
            "direction, or take general, additive or concat");
  config.directions = Directions::kForward;
  EXPECT_NO_THROW(check(config));
}

TEST(RecurrentConfig, TiedTablesMustFit) {
  RecurrentConfig config = good();
  config.tying = Tying::kAll;
  EXPECT_EQ(thrown<ConfigError>([&] { check(config); }),
            "one table for both languages needs one vocabulary; they have 10 and 12 words");
  config.tying = Tying::kDecoder;
  config.output_hidden = 128;
  EXPECT_EQ(thrown<ConfigError>([&] { check(config); }),
            "tied embeddings are 256 wide and the layer under the output weight 128; expected the same");
}

}  // namespace
}  // namespace dhyan
