#pragma once

#include "decoding/attention_trace.h"
#include "explain/step.h"

namespace dhyan {

struct StepPage {
  StepOptions step = {};                        // the page opens at this step; without --full, vectors are cut
  std::span<const AttentionTrace> traces = {};  // of the same translation; none where attention has no parts
  std::string_view formula = {};                // of the score, as its table has it
};

// Every step of a translation on one page, from the query to the word that was written: s and h_j, energies term by
// term, exponentials, weights, context, best words. Steps and heads are chosen by buttons or arrow keys; without
// JavaScript all of them stand below one another. What is too much for a page is left out, and the page says what.
// Throws what step_in_numbers does.
std::string step_page(const Translated& translated, const TokenizerPair& tokenizers, const StepPage& page);

}  // namespace dhyan
