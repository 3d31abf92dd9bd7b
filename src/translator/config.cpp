#include "translator/config.h"

#include "translator/model_kinds.h"

namespace dhyan {

void check(const Config& config) {
  tokenizer_kind(config.tokenizer.kind);
  model_kind(config).check(config);
  make_optimizer(config.training.optimizer, ParameterSet(), config.training.optimizer_settings);
  make_schedule(config.training.schedule, config.training.schedule_settings);
}

}  // namespace dhyan
