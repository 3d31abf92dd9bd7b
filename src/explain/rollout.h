#pragma once

#include <span>

#include "decoding/hypothesis.h"

namespace dhyan {

// Attention rollout [abnar2020]: the share of each input token that reaches the top of a stack of layers if the output
// of every layer is half its input, by the residual connection, and half the attended positions. Heads are averaged.
//   encoder  E = Π_l (A_l + I) / 2
//   decoder  the same product; a decoder-only model includes the source
//   cross    each decoder layer applies its self-attention, then its cross-attention to E; the result is the share that
//            comes from the source, scaled to sum to 1
// Covers the first `layers` layers of the place, and always all layers of the encoder for cross-attention. Rows sum
// to 1.
AttentionRecord rollout(std::span<const AttentionRecord> records, AttentionPlace place, Index layers);

}  // namespace dhyan
