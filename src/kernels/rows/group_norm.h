#pragma once

#include "kernels/rows/norm.h"

namespace dhyan::kernels {

// Group norm: x has pictures of `cells` rows each, and the channels of a picture form `groups` groups of neighbours.
// All values of a group are normalised together; NormRows has the statistics of each, [pictures*groups].
struct Groups {
  Index cells, groups;
};

void group_norm_rows(ConstMatrix x, const Groups& groups, const NormWeights& weights, Matrix y, NormRows statistics);
void group_norm_rows_backward(ConstMatrix x, const Groups& groups, NormRows statistics, std::span<const Real> gain,
                              ConstMatrix dy, const NormGradients& into);

}  // namespace dhyan::kernels
