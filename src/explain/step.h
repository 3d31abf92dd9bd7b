#pragma once

#include "explain/explanation.h"

namespace dhyan {

struct StepOptions {
  Index step = 1;     // from 1: step n writes token n of the translation
  bool full = false;  // all elements of a vector, not only the first
  // With a summary: the weights of all chosen layers and heads side by side, and the whole computation of the last
  // layer's first head. Without: the whole computation of every chosen layer and head. The encoder has no steps and is
  // skipped.
  AttentionChoice attention = {};
};

// One step of a translation in numbers that a reader can check with a pocket calculator: energies, their exponentials
// and sum, weights, context, and the best tokens. The hypothesis must have been recorded with
// RecordedAttention::kSteps. Throws UsageError if there is no such step or layer.
std::string step_in_numbers(const Translated& translated, const TokenizerPair& tokenizers, const StepOptions& options);

}  // namespace dhyan
