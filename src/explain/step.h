#pragma once

#include "explain/explanation.h"

namespace dhyan {

struct StepOptions {
  Index step = 1;     // from 1: the token of the translation that is written in it
  bool full = false;  // all numbers of a vector, not its first
  // With a summary, weights of all that is chosen side by side, and the first head of the last layer in numbers;
  // without one, every layer and head in numbers. The encoder, which takes no steps, is passed over.
  AttentionChoice attention = {};
};

// One step of a translation as numbers that a reader can work through with a pocket calculator: energies, their
// exponentials and sum, weights, context, and the best words. The hypothesis must have been recorded with Keep::kSteps.
// Throws UsageError for a step or a layer there is none of.
std::string step_in_numbers(const Translated& translated, const TokenizerPair& tokenizers, const StepOptions& options);

}  // namespace dhyan
