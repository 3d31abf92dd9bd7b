#include "translator/config.h"

#include "core/error.h"
#include "translator/model_kinds.h"

namespace dhyan {

namespace {

// Learned positions must reach as far as the sentences; a recurrent model has none, and text is cut to the context.
void check_positions(const Config& config, const ModelKind& kind) {
  if (config.model == "recurrent" || config.transformer.positions != "learned" || kind.material == Material::kText) {
    return;
  }
  const Index sides = config.model == "decoder-only" ? 2 : 1;  // in one sequence
  const Index least = sides * (config.data.max_length + 1);
  if (config.transformer.longest >= least) return;
  throw ConfigError(cat("context-length is ", config.transformer.longest, ", too few learned positions for max-length ",
                        config.data.max_length, " and </s>; expected ", least, " or more"));
}

// Two passes of R-Drop that drop nothing are one and the same.
void check_r_drop(const Config& config) {
  if (config.training.loss.r_drop == 0) return;
  const bool blocks = config.model != "recurrent";
  if (config.recurrent.dropout > 0 || config.recurrent.attention.dropout > 0) return;
  if (blocks && config.transformer.feed_forward_dropout > 0) return;
  throw ConfigError(cat("r-drop is ", config.training.loss.r_drop,
                        " and nothing is dropped, so that two passes would be the same; expected dropout above 0"));
}

}  // namespace

void check(const Config& config) {
  tokenizer_kind(config.tokenizer.kind);
  const ModelKind& kind = model_kind(config);
  kind.check(config);
  check_positions(config, kind);
  if (kind.material == Material::kText && config.transformer.longest > config.training.batch.max_tokens) {
    throw ConfigError(cat("context-length is ", config.transformer.longest, " and batch-tokens ",
                          config.training.batch.max_tokens, "; expected a batch that holds a stretch of text"));
  }
  check_r_drop(config);
  make_optimizer(config.training.optimizer, ParameterSet(), config.training.optimizer_settings);
  make_schedule(config.training.schedule, config.training.schedule_settings);
}

}  // namespace dhyan
