#pragma once

#include "ops/output_layer.h"

namespace dhyan {

struct OutputLossOptions {
  double label_smoothing = 0;  // [0,1)
  Index chunk_rows = 256;
};

struct OutputLoss {
  Var loss;        // []  Σ over rows of the smoothed cross-entropy, in nats
  double nll = 0;  // Σ over rows of -log p(target); exp(nll / rows) is the perplexity
};

// The last layer and its loss in one op. Computes the logits chunk by chunk: no [ΣT,V] tensor exists.
OutputLoss output_loss(const Var& x, const OutputLayer& layer, std::span<const RowId> targets,  // x [ΣT,H]
                       const OutputLossOptions& options = {});

// ConfigError.
void check(const char* op, const OutputLossOptions& options);

}  // namespace dhyan
