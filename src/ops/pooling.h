#pragma once

#include "autograd/tape.h"
#include "ops/windows.h"

namespace dhyan {

// Pooling of each channel: [B*h*w,C] -> [B*h'*w',C], with h' x w' of window_grid(). Padding does not count. The mean of
// a whole grid is segment_mean() of ops/reductions.h.
Var max_pool2d(const Var& x, GridShape grid, const WindowOptions& options);
Var mean_pool2d(const Var& x, GridShape grid, const WindowOptions& options);

}  // namespace dhyan
