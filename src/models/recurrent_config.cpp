#include "models/recurrent_config.h"

#include "core/table.h"
#include "models/config_checks.h"

namespace dhyan {

Index decoder_width(const RecurrentConfig& config) {
  return config.decoder_hidden == 0 ? config.hidden : config.decoder_hidden;
}

void check(const RecurrentConfig& config) {
  entry_named("cell", cells(), config.cell);
  expect_at_least_one("embedding width", config.embedding);
  expect_at_least_one("width of the output layer", config.output_hidden);
  if (config.tying != Tying::kNone && config.output_hidden != config.embedding) {
    throw ConfigError(cat("tied embeddings are ", config.embedding, " wide and the layer under the output weight ",
                          config.output_hidden, "; expected the same"));
  }
  expect_small_count("transitions of the encoder", config.encoder_transitions);
  expect_small_count("transitions of the decoder", config.decoder_transitions);
  expect_small_count("transitions of the higher layers", config.higher_transitions);
  if (config.inner_norm && config.context == ContextKind::kAttention && config.attention.score != "additive") {
    throw ConfigError(cat("inner-norm is about the score additive; score is ", config.attention.score));
  }
  check(static_cast<const ModelConfig&>(config));
  expect_at_least_one("hidden width of the decoder", decoder_width(config));
  const bool two_sided = config.directions == Directions::kBoth && !config.reads_pictures();
  const Index keys = config.hidden * (two_sided ? 2 : 1);
  if (config.context == ContextKind::kAttention) check_attention(config.attention, decoder_width(config), keys);
}

}  // namespace dhyan
