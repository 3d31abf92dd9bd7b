#pragma once

#include <vector>

#include "autograd/var.h"
#include "kernels/testing/ragged_layout.h"

namespace dhyan {

// For tests: the values of a tensor, row by row.
inline std::vector<Real> values(const Tensor& x) { return {x.span().begin(), x.span().end()}; }
inline std::vector<Real> values(const Var& x) { return values(x.value()); }

// Sentences of different lengths, two heads.
inline const kernels::AttentionLayout kRagged = kernels::ragged_layout(2);

}  // namespace dhyan
