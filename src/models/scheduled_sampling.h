#pragma once

#include "models/model.h"

namespace dhyan {

// The decoder's inputs in training by scheduled sampling ([bengio2015] section 2.4): decoder_inputs(batch), but each
// word after the first of a sentence is replaced, with this probability, by the word that the model finds most likely
// there. A pass of its own without dropout chooses them: no gradient leads through the choice, so teacher forcing on
// these inputs gives the gradient of the paper.
std::vector<TokenId> sampled_inputs(Decoding& decoding, const Batch& batch, double probability, Rng noise);  // [ΣT]

// The decoder's inputs for a loss: the words before each target, or in training some of the model's own.
std::vector<TokenId> training_inputs(const TranslationModel& model, const Scope& scope, const Batch& batch,
                                     const LossOptions& options);  // [ΣT]

}  // namespace dhyan
