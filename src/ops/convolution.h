#pragma once

#include "autograd/tape.h"
#include "kernels/elementwise/rectifier.h"
#include "ops/windows.h"

namespace dhyan {

// A batch of B pictures with C channels is rows [B*h*w,C]: picture after picture, row after row of cells. The result of
// a picture is the same bytes whatever pictures are beside it.

struct ConvOptions {
  WindowOptions window = {};
  kernels::Rectifier rectifier = kernels::Rectifier::kNone;  // applied to the sums
};

// [B*h*w,C], [kernel*kernel*C,O], [O] -> [B*h'*w',O], with h' x w' of window_grid(). The rows of the weight are the
// taps, row by row of the window, and the channels of each. The bias is optional.
Var conv2d(const Var& x, GridShape grid, const Var& weight, const Var& bias, const ConvOptions& options);

// Each channel has a filter of its own ([howard2017] section 3.1): [B*h*w,C], [kernel*kernel,C], [C] -> [B*h'*w',C].
Var depthwise_conv2d(const Var& x, GridShape grid, const Var& weight, const Var& bias, const ConvOptions& options);

}  // namespace dhyan
