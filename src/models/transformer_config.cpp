#include "models/transformer_config.h"

#include "core/table.h"
#include "models/config_checks.h"
#include "models/sequence_mixer.h"
#include "nn/feed_forward.h"
#include "nn/positions.h"

namespace dhyan {

AttentionConfig decoder_attention(const TransformerConfig& config) {
  AttentionConfig attention = config.attention;
  attention.causal = true;
  if (attention.window == "local-p" || attention.window == "no-end") attention.window = "global";
  return attention;
}

bool positions_by_formula(const TransformerConfig& config) {
  return entry_named("positions", position_encodings(), config.positions).by_formula;
}

bool scales_words(const TransformerConfig& config) {
  if (config.word_scale == WordScale::kByPositions) return positions_by_formula(config);
  return config.word_scale == WordScale::kRootOfWidth;
}

void check(const TransformerConfig& config) {
  entry_named("activation", activations(), config.activation);
  entry_named("positions", position_encodings(), config.positions);
  entry_named("decoder-layer", decoder_layers(), config.decoder_layer);
  if (config.decoder_keys == DecoderKeys::kPlain && config.norm != NormPlace::kBefore) {
    throw ConfigError("decoder-keys is plain, which is about norms before sublayers; norm is after");
  }
  expect_at_least_one("width of the feed-forward layer", config.feed_forward);
  expect_at_least_one("number of positions", config.longest);
  if (config.first_position < 0) {
    throw ConfigError(cat("first position is ", config.first_position, ", expected 0 or more"));
  }
  if (!(config.norm_epsilon > 0 && config.norm_epsilon < 1)) {
    throw ConfigError(cat("epsilon of layer norms is ", config.norm_epsilon, ", expected more than 0 and less than 1"));
  }
  if (config.masked.sentence_types < 0) {
    throw ConfigError(cat("sentence types are ", config.masked.sentence_types, ", expected 0 or more"));
  }
  if (config.masked.pooling == Pooling::kStart && config.masked.start == SentenceStart::kNone) {
    throw ConfigError("pooling is start, and sentences do not begin with <s>; expected sentence-start begin");
  }
  expect_probability("dropout of the feed-forward layer", config.feed_forward_dropout);
  check(static_cast<const ModelConfig&>(config));
  check_attention(config.attention, config.hidden, config.hidden);
}

}  // namespace dhyan
