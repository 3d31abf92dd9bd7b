#include "decoding/hypothesis.h"

#include <cmath>

namespace dhyan {

double normalised(double log_probability, Index length, double penalty, LengthNorm norm) {
  if (penalty == 0 || length == 0) return log_probability;
  const auto tokens = static_cast<double>(length);
  return log_probability / std::pow(norm == LengthNorm::kWu ? (5 + tokens) / 6 : tokens, penalty);
}

}  // namespace dhyan
