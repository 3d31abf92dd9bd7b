#include "attention/attention_config.h"

#include "core/table.h"

namespace dhyan {

namespace {

void expect_at_least(const char* what, Index number, Index least) {
  if (number < least) throw ConfigError(cat("attention: ", what, " is ", number, ", expected ", least, " or more"));
}

}  // namespace

AttentionConfig batch_invariant(AttentionConfig config) {
  config.kernel = AttentionKernel::kBatchInvariant;
  return config;
}

void check(const AttentionConfig& config) {
  entry_named("score", config.tables.scores, config.score);
  entry_named("window", config.tables.windows, config.window);
  expect_at_least("number of heads", config.heads, 1);
  expect_at_least("width of the hidden layer", config.hidden, 0);
  expect_at_least("radius of the window", config.radius, 1);
  expect_at_least("longest sentence", config.longest, 1);
  if (!(config.dropout >= 0 && config.dropout < 1)) {
    throw ConfigError(cat("attention: dropout is ", config.dropout, ", expected 0 <= p < 1"));
  }
}

}  // namespace dhyan
