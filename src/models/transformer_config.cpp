#include "models/transformer_config.h"

#include "attention/attention.h"
#include "core/table.h"
#include "models/config_checks.h"
#include "nn/feed_forward.h"
#include "nn/positions.h"

namespace dhyan {

namespace {

// By making one: whether widths fit is known to the score.
void check_attention(const TransformerConfig& config) {
  check(config.attention);
  ParameterSet scratch;
  const Attention fits(scratch, "attention", {config.hidden, config.hidden}, config.attention, Rng(0));
}

}  // namespace

AttentionConfig decoder_attention(const TransformerConfig& config) {
  AttentionConfig attention = config.attention;
  attention.causal = true;
  if (attention.window == "local-p") attention.window = "global";
  return attention;
}

void check(const TransformerConfig& config) {
  entry_named("activation", activations(), config.activation);
  entry_named("positions", position_encodings(), config.positions);
  expect_at_least_one("source vocabulary", config.source_vocabulary);
  expect_at_least_one("target vocabulary", config.target_vocabulary);
  expect_at_least_one("hidden width", config.hidden);
  expect_at_least_one("width of the feed-forward layer", config.feed_forward);
  expect_at_least_one("number of encoder layers", config.encoder_layers);
  expect_at_least_one("number of decoder layers", config.decoder_layers);
  expect_at_least_one("number of positions", config.longest);
  expect_probability("dropout", config.dropout);
  expect_probability("word dropout", config.word_dropout);
  expect_probability("dropout of the feed-forward layer", config.feed_forward_dropout);
  check_tying(config.tying, config.source_vocabulary, config.target_vocabulary);
  check_attention(config);
}

}  // namespace dhyan
