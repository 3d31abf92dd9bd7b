#pragma once

#include <span>

#include "core/matrix.h"
#include "kernels/convolution/windows.h"
#include "kernels/elementwise/rectifier.h"

namespace dhyan::kernels {

// Depthwise convolution: each channel has a filter of its own. Weight [kernel*kernel,C], one row per tap. Sums begin
// with the bias and run over the taps in order, so a cell is the same bytes whatever stands beside it.

struct DepthwiseWeights {
  ConstMatrix taps;            // [kernel*kernel,C]
  std::span<const Real> bias;  // [C]; may be empty
};

void depthwise(ConstMatrix x, const Windows& windows, const DepthwiseWeights& weights, Rectifier rectifier, Matrix y);

void depthwise_backward_x(ConstMatrix dy, const Windows& windows, ConstMatrix taps, Matrix dx);     // dx +=
void depthwise_backward_taps(ConstMatrix x, const Windows& windows, ConstMatrix dy, Matrix dtaps);  // dtaps +=

}  // namespace dhyan::kernels
