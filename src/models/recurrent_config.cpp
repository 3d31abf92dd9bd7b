#include "models/recurrent_config.h"

#include "attention/attention.h"
#include "core/table.h"
#include "models/config_checks.h"

namespace dhyan {

namespace {

void check_tying(const RecurrentConfig& config) {
  if (config.tying != Tying::kNone && config.output_hidden != config.embedding) {
    throw ConfigError(cat("tied embeddings are ", config.embedding, " wide and the layer under the output weight ",
                          config.output_hidden, "; expected the same"));
  }
  check_tying(config.tying, config.source_vocabulary, config.target_vocabulary);
}

// By making one: whether widths fit is known to the score.
void check_attention(const RecurrentConfig& config) {
  check(config.attention);
  ParameterSet scratch;
  const Index keys = config.hidden * (config.directions == Directions::kBoth ? 2 : 1);
  const Attention fits(scratch, "attention", {decoder_width(config), keys}, config.attention, Rng(0));
}

}  // namespace

Index decoder_width(const RecurrentConfig& config) {
  return config.decoder_hidden == 0 ? config.hidden : config.decoder_hidden;
}

void check(const RecurrentConfig& config) {
  entry_named("cell", cells(), config.cell);
  expect_at_least_one("source vocabulary", config.source_vocabulary);
  expect_at_least_one("target vocabulary", config.target_vocabulary);
  expect_at_least_one("embedding width", config.embedding);
  expect_at_least_one("hidden width", config.hidden);
  expect_at_least_one("hidden width of the decoder", decoder_width(config));
  expect_at_least_one("number of encoder layers", config.encoder_layers);
  expect_at_least_one("number of decoder layers", config.decoder_layers);
  expect_at_least_one("width of the output layer", config.output_hidden);
  expect_probability("dropout", config.dropout);
  expect_probability("word dropout", config.word_dropout);
  check_tying(config);
  if (config.context == ContextKind::kAttention) check_attention(config);
}

}  // namespace dhyan
