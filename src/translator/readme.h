#pragma once

#include <string>

#include "translator/training_run.h"

namespace dhyan {

// The README.md of a model's folder: what it is, what it learned from, how well it does, what to type.
std::string readme(const TrainingRun& run);

}  // namespace dhyan
