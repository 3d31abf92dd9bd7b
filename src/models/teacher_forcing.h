#pragma once

#include "models/recurrent_decoder.h"

namespace dhyan {

// The readout of every target word, given all words before it.
//   beginning  of sentences in the order of plan.sentences(): those whose target is longest come first
//   y          [ΣT,E] the words before, in the order of the batch
//   plan       of the targets
Var teacher_forced(const RecurrentDecoder& decoder, const DecoderBeginning& beginning, const Var& y,
                   const RecurrentPlan& plan);  // [ΣT,O], in the order of the batch

}  // namespace dhyan
