#pragma once

#include <string>

#include "runs/training_run.h"

namespace dhyan {

// Commands that use a model of this kind, trained on this data.
std::vector<std::string> what_to_type(const Config& config, const std::string& folder);

// The README.md of a model's folder: what it is, what it learned from, how well it does, what to type.
std::string readme(const TrainingRun& run);

}  // namespace dhyan
