#pragma once

#include <vector>

#include "autograd/parameter.h"

namespace dhyan {

// For tests: every number of every parameter, to be compared with those of another.
inline std::vector<Real> all_weights(const ParameterSet& parameters) {
  std::vector<Real> all;
  for (const Parameter& parameter : parameters) {
    all.insert(all.end(), parameter.value.span().begin(), parameter.value.span().end());
  }
  return all;
}

}  // namespace dhyan
