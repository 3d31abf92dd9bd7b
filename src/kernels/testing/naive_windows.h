#pragma once

#include <vector>

#include "kernels/convolution/windows.h"

namespace dhyan::kernels {

// For tests: f(window, tap, cell) for every tap of every window that is inside of its picture; all are row numbers.
template <class F>
void each_tap(const Windows& w, const F& f) {
  for (Index p = 0; p < w.pictures; ++p) {
    for (Index oy = 0; oy < w.out.height; ++oy) {
      for (Index ox = 0; ox < w.out.width; ++ox) {
        for (Index ky = 0; ky < w.kernel; ++ky) {
          for (Index kx = 0; kx < w.kernel; ++kx) {
            const Index iy = oy * w.stride + ky - w.top, ix = ox * w.stride + kx - w.left;
            if (iy < 0 || iy >= w.in.height || ix < 0 || ix >= w.in.width) continue;
            f((p * w.out.height + oy) * w.out.width + ox, ky * w.kernel + kx, (p * w.in.height + iy) * w.in.width + ix);
          }
        }
      }
    }
  }
}

// Windows of several sizes, strides and paddings, on two pictures each.
inline std::vector<Windows> sample_windows() {
  std::vector<Windows> samples;
  const auto add = [&](GridShape in, GridShape out, Index kernel, Index stride, Index top, Index left) {
    samples.push_back({in, out, 2, kernel, stride, top, left});
  };
  add({1, 1}, {1, 1}, 1, 1, 0, 0);
  add({4, 3}, {4, 3}, 1, 1, 0, 0);
  add({5, 11}, {3, 6}, 1, 2, 0, 0);
  add({7, 9}, {7, 9}, 3, 1, 1, 1);
  add({6, 13}, {4, 11}, 3, 1, 0, 0);
  add({8, 12}, {4, 6}, 3, 2, 0, 0);  // SAME: the extra cell is at the bottom and on the right
  add({9, 15}, {5, 8}, 3, 2, 1, 1);
  add({7, 10}, {7, 10}, 5, 1, 2, 2);
  add({12, 14}, {6, 7}, 5, 2, 1, 1);
  add({3, 2}, {3, 2}, 5, 1, 2, 2);  // larger than the picture
  add({6, 7}, {3, 3}, 2, 2, 0, 0);
  add({9, 8}, {3, 3}, 4, 3, 1, 1);
  return samples;
}

}  // namespace dhyan::kernels
