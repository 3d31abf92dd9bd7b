#pragma once

#include <string>

#include "runs/training_run.h"

namespace dhyan {

// Example commands for a model with this config.
std::vector<std::string> what_to_type(const Config& config, const std::string& folder);

// The README.md of a model's folder: model, training data, scores, example commands.
std::string readme(const TrainingRun& run);

}  // namespace dhyan
