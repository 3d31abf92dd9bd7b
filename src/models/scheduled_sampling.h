#pragma once

#include "models/model.h"

namespace dhyan {

// The decoder's inputs in training by scheduled sampling ([bengio2015] section 2.4): decoder_inputs(batch), but each
// word after the first of a sentence is replaced, with this probability, by the model's most likely word there. A
// separate pass without dropout chooses them: no gradient leads through the choice, so teacher forcing on these inputs
// gives the gradient of the paper.
std::vector<TokenId> sampled_inputs(Decoding& decoding, const Batch& batch, double probability, Rng noise);  // [ΣT]

// The decoder's inputs for a loss: the words before each target; in training some may be the model's own.
std::vector<TokenId> training_inputs(const TranslationModel& model, const Scope& scope, const Batch& batch,
                                     const LossOptions& options);  // [ΣT]

}  // namespace dhyan
