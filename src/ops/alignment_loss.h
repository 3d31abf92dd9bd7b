#pragma once

#include "autograd/tape.h"
#include "kernels/loss/alignment_loss.h"

namespace dhyan {

// The cross-entropy between gold alignments and the mean of the attention of N heads ([chen2016]). The links must live
// until backward has run. Throws ShapeError for a link beyond the weights.
Var alignment_loss(const Var& weights, std::span<const kernels::WeightedLink> links, Index heads);  // [pairs] -> []

}  // namespace dhyan
