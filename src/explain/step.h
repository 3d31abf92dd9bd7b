#pragma once

#include "explain/explanation.h"

namespace dhyan {

struct StepOptions {
  Index step = 1;     // from 1: the token of the translation that is written in it
  bool full = false;  // all numbers of a vector, not its first
};

// One step of a translation as numbers that a reader can work through with a pocket calculator: energies, their
// exponentials and sum, weights, context, and the best words. The hypothesis must have been recorded with Keep::kSteps.
// Throws UsageError for a step the translation does not have.
std::string step_in_numbers(const Translated& translated, const TokenizerPair& tokenizers, const StepOptions& options);

}  // namespace dhyan
