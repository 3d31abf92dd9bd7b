#include "translator/config.h"

#include "core/error.h"

namespace dhyan {

namespace {

void check_vocabularies(const Config& config) {
  if (config.recurrent.tying == Tying::kAll && !config.tokenizer.shared && config.tokenizer.from.empty()) {
    throw ConfigError("tie-embeddings is all, which needs one vocabulary: expected shared-vocabulary true");
  }
  RecurrentConfig model = config.recurrent;
  model.source_vocabulary = model.target_vocabulary = 1;  // not known yet
  check(model);
}

}  // namespace

void check(const Config& config) {
  tokenizer_kind(config.tokenizer.kind);
  check_vocabularies(config);
  make_optimizer(config.training.optimizer, ParameterSet(), config.training.optimizer_settings);
  make_schedule(config.training.schedule, config.training.schedule_settings);
}

}  // namespace dhyan
