#pragma once

#include "models/recurrent_decoder.h"

namespace dhyan {

struct Forced {
  Var readout;                   // [ΣT,O], in the order of the batch
  std::span<const Var> weights;  // of each step, [Σ N S_b] over the live sentences; empty without attention
};

// The readout of every target word, given all words before it.
//   beginning  of sentences in the order of plan.sentences(): the longest target first
//   y          [ΣT,E] the words before, in the order of the batch
//   plan       of the targets
Forced teacher_forced(const RecurrentDecoder& decoder, const DecoderBeginning& beginning, const Var& y,
                      const RecurrentPlan& plan);

}  // namespace dhyan
