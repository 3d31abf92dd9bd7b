#include "models/transformer_config.h"

#include "core/table.h"
#include "models/config_checks.h"
#include "nn/feed_forward.h"
#include "nn/positions.h"

namespace dhyan {

AttentionConfig decoder_attention(const TransformerConfig& config) {
  AttentionConfig attention = config.attention;
  attention.causal = true;
  if (attention.window == "local-p") attention.window = "global";
  return attention;
}

void check(const TransformerConfig& config) {
  entry_named("activation", activations(), config.activation);
  entry_named("positions", position_encodings(), config.positions);
  expect_at_least_one("width of the feed-forward layer", config.feed_forward);
  expect_at_least_one("number of positions", config.longest);
  expect_probability("dropout of the feed-forward layer", config.feed_forward_dropout);
  check(static_cast<const ModelConfig&>(config));
  check_attention(config.attention, config.hidden, config.hidden);
}

}  // namespace dhyan
