#include "kernels/convolution/depthwise.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "kernels/testing/naive_windows.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

std::size_t at(Index row, Index C, Index c) { return static_cast<std::size_t>(row * C + c); }

TEST(Depthwise, EqualsPlainLoopsForwardAndBackward) {
  on_every_target([] {
    Rng rng(3);
    for (const Windows& w : sample_windows()) {
      for (const Index C : {1, 7, 16, 35}) {
        SCOPED_TRACE(testing::Message() << "kernel " << w.kernel << " stride " << w.stride << " C " << C);
        std::vector<Real> x = random_values(rng, w.pictures * w.in.cells() * C, -1, 1);
        std::vector<Real> taps = random_values(rng, w.kernel * w.kernel * C, -1, 1);
        std::vector<Real> dy = random_values(rng, w.rows() * C, -1, 1), bias = random_values(rng, C);
        std::vector<double> y(dy.size()), dx(x.size(), 1), dtaps(taps.size(), 1);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = bias[i % bias.size()];
        each_tap(w, [&](Index window, Index tap, Index cell) {
          for (Index c = 0; c < C; ++c) {
            y[at(window, C, c)] += double{x[at(cell, C, c)]} * taps[at(tap, C, c)];
            dx[at(cell, C, c)] += double{dy[at(window, C, c)]} * taps[at(tap, C, c)];
            dtaps[at(tap, C, c)] += double{dy[at(window, C, c)]} * x[at(cell, C, c)];
          }
        });
        std::vector<double> clamped(y);
        for (double& v : clamped) v = std::clamp(v, 0.0, 6.0);
        std::vector<Real> got(dy.size()), got_dx(x.size(), 1), got_dtaps(taps.size(), 1);
        depthwise(matrix_of(x, C), w, {matrix_of(taps, C), bias}, Rectifier::kNone, matrix_of(got, C));
        expect_near(got, y, 20 * kTolerance);
        depthwise(matrix_of(x, C), w, {matrix_of(taps, C), bias}, Rectifier::kRelu6, matrix_of(got, C));
        expect_near(got, clamped, 20 * kTolerance);
        depthwise_backward_x(matrix_of(dy, C), w, matrix_of(taps, C), matrix_of(got_dx, C));
        expect_near(got_dx, dx, 20 * kTolerance);
        depthwise_backward_taps(matrix_of(x, C), w, matrix_of(dy, C), matrix_of(got_dtaps, C));
        expect_near(got_dtaps, dtaps, 100 * kTolerance);
      }
    }
  });
}

// The border is computed one output at a time, the inside four at a time.
TEST(Depthwise, GivesTheSameBytesAtTheBorderAndInside) {
  on_every_target([] {
    Rng rng(4);
    const Index C = 21;
    for (const Index stride : {1, 2}) {
      for (const Index kernel : {3, 5}) {
        // A picture, and the same picture with a frame of zeros, in which all windows are inside.
        const Index pad = kernel / 2;
        const Windows with_border{{9, 13}, {0, 0}, 1, kernel, stride, pad, pad};
        Windows w = with_border;
        w.out = {(9 + 2 * pad - kernel) / stride + 1, (13 + 2 * pad - kernel) / stride + 1};
        Windows framed = w;
        framed.in = {9 + 2 * pad, 13 + 2 * pad}, framed.top = framed.left = 0;
        std::vector<Real> x = random_values(rng, w.in.cells() * C), taps = random_values(rng, kernel * kernel * C);
        std::vector<Real> frame(static_cast<std::size_t>(framed.in.cells() * C));
        for (Index r = 0; r < 9; ++r) {
          std::copy_n(x.begin() + r * 13 * C, 13 * C, frame.begin() + ((r + pad) * framed.in.width + pad) * C);
        }
        std::vector<Real> y(static_cast<std::size_t>(w.rows() * C)), expected = y;
        depthwise(matrix_of(x, C), w, {matrix_of(taps, C), {}}, Rectifier::kRelu, matrix_of(y, C));
        depthwise(matrix_of(frame, C), framed, {matrix_of(taps, C), {}}, Rectifier::kRelu, matrix_of(expected, C));
        EXPECT_EQ(y, expected) << kernel << " " << stride;
      }
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels
