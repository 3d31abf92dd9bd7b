#pragma once

#include <vector>

#include "autograd/var.h"
#include "kernels/ragged_pairing.h"

namespace dhyan {

// For tests: the numbers of a tensor, row by row.
inline std::vector<Real> numbers(const Tensor& x) { return {x.span().begin(), x.span().end()}; }
inline std::vector<Real> numbers(const Var& x) { return numbers(x.value()); }

// Of two heads.
inline const kernels::Pairing kRagged = kernels::ragged_pairing(2);

}  // namespace dhyan
