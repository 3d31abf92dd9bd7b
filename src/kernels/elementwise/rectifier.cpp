#include "kernels/elementwise/rectifier.h"

#include "kernels/elementwise/activations.h"

namespace dhyan::kernels {

void rectify(Rectifier rectifier, std::span<Real> y) {
  if (rectifier == Rectifier::kRelu) relu(y, y);
  if (rectifier == Rectifier::kRelu6) relu6(y, y);
}

void rectify_backward(Rectifier rectifier, std::span<const Real> y, std::span<Real> dy) {
  if (rectifier == Rectifier::kRelu) relu_backward_in_place(y, dy);
  if (rectifier == Rectifier::kRelu6) relu6_backward_in_place(y, dy);
}

}  // namespace dhyan::kernels
