#include "models/model_config.h"

#include "attention/attention.h"
#include "core/table.h"
#include "models/config_checks.h"

namespace dhyan {

void check(const ModelConfig& config) {
  expect_at_least_one("source vocabulary", config.source_vocabulary);
  expect_at_least_one("target vocabulary", config.target_vocabulary);
  expect_at_least_one("hidden width", config.hidden);
  expect_at_least_one("number of encoder layers", config.encoder_layers);
  expect_at_least_one("number of decoder layers", config.decoder_layers);
  expect_probability("dropout", config.dropout);
  expect_probability("word dropout", config.word_dropout);
  check_tying(config.tying, config.source_vocabulary, config.target_vocabulary);
  if (config.reads_pictures()) backbone_shape(config.encoder, config.backbone);
}

// Builds an attention, because only the score knows which widths it accepts.
void check_attention(const AttentionConfig& attention, Index query, Index keys) {
  check(attention);
  ParameterSet scratch;
  const Attention built(scratch, "attention", {query, keys}, attention, Rng(0));
}

}  // namespace dhyan
