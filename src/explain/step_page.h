#pragma once

#include "decoding/attention_trace.h"
#include "explain/step.h"

namespace dhyan {

struct StepPage {
  StepOptions step = {};                        // the page opens at this step; without `full`, vectors are cut
  std::span<const AttentionTrace> traces = {};  // of the same translation; empty if they were not recorded
  std::string_view formula = {};                // of the score, from the table of scores
};

// Every step of a translation on one page, from the query to the token it writes: s and h_j, energies term by term,
// exponentials, weights, context, best tokens. Buttons and arrow keys choose step and head; without JavaScript the page
// shows all of them one below the other. The page leaves out layers and heads that would make it too large, and notes
// it. Throws the same errors as step_in_numbers().
std::string step_page(const Translated& translated, const TokenizerPair& tokenizers, const StepPage& page);

}  // namespace dhyan
