#pragma once

#include "models/model.h"

namespace dhyan {

// What the decoder is fed in training by scheduled sampling ([bengio2015] section 2.4): decoder_inputs(batch), but
// after the first word of a sentence each is, with this probability, the one the model itself finds most likely after
// what it was fed before. Chosen without dropout, in a pass of its own: no gradient leads through the choice, so
// teacher forcing on these inputs gives the gradient of the paper.
std::vector<TokenId> sampled_inputs(Decoding& decoding, const Batch& batch, double probability, Rng noise);  // [ΣT]

// What a decoder is fed for a loss: the words before each target, or in training some of its own.
std::vector<TokenId> training_inputs(const TranslationModel& model, const Scope& scope, const Batch& batch,
                                     const LossOptions& options);  // [ΣT]

}  // namespace dhyan
