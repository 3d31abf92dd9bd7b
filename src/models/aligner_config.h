#pragma once

#include "models/model_config.h"

namespace dhyan {

// The settings that only aligners have.
struct AlignerSettings {
  Index jump_range = 10;          // R: longest jump with a score of its own
  double null_probability = 0.2;  // of the null word
  Index negatives = 2048;         // words of the target vocabulary drawn for each shard, in training
};

struct AlignerConfig : ModelConfig, AlignerSettings {};

// Throws ConfigError for an impossible config.
void check(const AlignerConfig& config);

}  // namespace dhyan
