#include "nn/dropout.h"

#include "core/error.h"
#include "ops/dropout.h"

namespace dhyan {

Dropout::Dropout(double probability, DropoutMask mask) : probability_(probability), mask_(mask) {
  if (probability >= 0 && probability < 1) return;  // NaN is not
  throw ConfigError(cat("Dropout: probability is ", probability, ", expected 0 <= probability < 1"));
}

Var Dropout::operator()(const Ragged& x) const {
  if (mask_ == DropoutMask::kElements) return dropout(x.rows, probability_);  // [R,H]
  return variational_dropout(x.rows, x.segments, probability_);               // [R,H]
}

}  // namespace dhyan
