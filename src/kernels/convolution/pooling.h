#pragma once

#include "core/matrix.h"
#include "kernels/convolution/windows.h"

namespace dhyan::kernels {

// Pooling, channel by channel. Cells outside of the picture do not count: a mean is over those inside. Every window
// must have one inside.

void max_pool(ConstMatrix x, const Windows& windows, Matrix y);  // NaN stays NaN
void max_pool_backward(ConstMatrix x, const Windows& windows, ConstMatrix y, ConstMatrix dy, Matrix dx);  // dx +=

void mean_pool(ConstMatrix x, const Windows& windows, Matrix y);
void mean_pool_backward(ConstMatrix dy, const Windows& windows, Matrix dx);  // dx +=

}  // namespace dhyan::kernels
