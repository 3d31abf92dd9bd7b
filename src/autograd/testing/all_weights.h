#pragma once

#include <vector>

#include "autograd/parameter.h"

namespace dhyan {

// For tests: the values of all parameters, to compare with those of another set.
inline std::vector<Real> all_weights(const ParameterSet& parameters) {
  std::vector<Real> all;
  for (const Parameter& parameter : parameters) {
    all.insert(all.end(), parameter.value.span().begin(), parameter.value.span().end());
  }
  return all;
}

}  // namespace dhyan
