#pragma once

#include "ops/output_loss.h"

namespace dhyan {

struct RDropOutputLossOptions {
  double label_smoothing = 0;  // [0,1)
  double alpha = 0;            // weight of the divergence; at least 0
  Index chunk_rows = 256;      // of each pass
};

// R-Drop ([liang2021]): the loss of two passes with different dropout, and the divergence of their predictions p and q.
//   loss = (CE(p) + CE(q)) / 2 + α (KL(p||q) + KL(q||p)) / 2, summed over rows;   nll is the mean of the two
// As output_loss(), in chunks: no [ΣT,V] tensor exists.
OutputLoss rdrop_output_loss(const Var& first, const Var& second, const OutputLayer& layer,  // [ΣT,H] [ΣT,H]
                             std::span<const RowId> targets, const RDropOutputLossOptions& options);

}  // namespace dhyan
