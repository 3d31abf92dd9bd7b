#pragma once

#include <span>

#include "decoding/hypothesis.h"

namespace dhyan {

// Attention rollout [abnar2020]: how much of each token's number reached the top of a stack of layers, if every layer
// keeps half of what it had, its residual, and takes the other half from where it looks. Heads are averaged.
//   encoder  E = Π_l (A_l + I) / 2
//   decoder  likewise; of a decoder-only model over the source as well
//   cross    the decoder goes through its own attention and the source's in turn, and finds E there; what came from the
//            source, scaled to sum to 1
// Through the first `layers` layers of the place; the source's own are all gone through. Rows sum to 1.
AttentionRecord rollout(std::span<const AttentionRecord> records, AttentionPlace place, Index layers);

}  // namespace dhyan
