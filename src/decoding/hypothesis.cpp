#include "decoding/hypothesis.h"

#include <cmath>

namespace dhyan {

double normalised(double log_probability, Index length, double penalty) {
  return penalty == 0 || length == 0 ? log_probability : log_probability / std::pow(length, penalty);
}

}  // namespace dhyan
