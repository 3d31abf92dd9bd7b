#include "kernels/convolution/depthwise.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/convolution/depthwise.cpp"
#include <hwy/foreach_target.h>

#include "kernels/elementwise/rectifier-inl.h"
#include "kernels/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

struct DepthwiseCall {
  ConstMatrix x, taps;
  const Real* bias;  // null: none
  Rectifier rectifier;

  template <class Part>
  HWY_INLINE V first(Index c, Part part) const {
    return bias == nullptr ? hn::Zero(D()) : part.load(bias + c);
  }
};

// The taps of one window, or of neighbouring ones, that are inside of the picture.
struct TapBlock {
  const Real *x, *taps;  // of the first tap
  Index rows, columns;
};

// P neighbouring outputs whose K columns of taps are all inside.
template <int K, int S, int P>
HWY_INLINE void depthwise_outputs(const DepthwiseCall& call, const TapBlock& block, Index x_row, Real* y) {
  const Index C = call.x.cols;
  each_vector(C, [&](Index c, auto part) HWY_ATTR {
    V sums[P];
#pragma GCC unroll 8
    for (int p = 0; p < P; ++p) sums[p] = call.first(c, part);
    const Real *from = block.x + c, *taps = block.taps + c;
    for (Index row = 0; row < block.rows; ++row, from += x_row, taps += K * C) {
      V weights[K];
#pragma GCC unroll 8
      for (int k = 0; k < K; ++k) weights[k] = part.load(taps + k * C);
#pragma GCC unroll 24
      for (int column = 0; column < (P - 1) * S + K; ++column) {
        const V value = part.load(from + column * C);
#pragma GCC unroll 8
        for (int p = 0; p < P; ++p) {
          const int k = column - p * S;
          if (k >= 0 && k < K) sums[p] = hn::MulAdd(value, weights[k], sums[p]);
        }
      }
    }
#pragma GCC unroll 8
    for (int p = 0; p < P; ++p) part.store(rectified(call.rectifier, sums[p]), y + p * C + c);
  });
}

// One output, of a window of any size.
HWY_INLINE void depthwise_output(const DepthwiseCall& call, const TapBlock& block, const Windows& w, Real* y) {
  const Index C = call.x.cols, x_row = w.in.width * C;
  each_vector(C, [&](Index c, auto part) HWY_ATTR {
    V sum = call.first(c, part);
    for (Index row = 0; row < block.rows; ++row) {
      const Real *from = block.x + row * x_row + c, *taps = block.taps + row * w.kernel * C + c;
      for (Index k = 0; k < block.columns; ++k) sum = hn::MulAdd(part.load(from + k * C), part.load(taps + k * C), sum);
    }
    part.store(rectified(call.rectifier, sum), y + c);
  });
}

// A row of outputs: those whose windows are inside from left to right, P at a time, and the others one by one. K is 0
// for kernels and strides that are not compiled for.
template <int K, int S>
void depthwise_row(const DepthwiseCall& call, const Windows& w, Index picture, Index row, Real* y) {
  constexpr int P = 4;
  const Index C = call.x.cols, top = row * w.stride - w.top;
  const TapRange rows = taps_inside(top, w.kernel, w.in.height);
  const Real* x = call.x.row((picture * w.in.height + top + rows.begin) * w.in.width);
  const auto block_at = [&](Index left, const TapRange& columns) {
    return TapBlock{x + (left + columns.begin) * C, call.taps.data + (rows.begin * w.kernel + columns.begin) * C,
                    rows.end - rows.begin, columns.end - columns.begin};
  };
  for (Index column = 0; column < w.out.width;) {
    const Index left = column * w.stride - w.left;
    if constexpr (K > 0) {
      if (column + P <= w.out.width && left >= 0 && left + (P - 1) * S + K <= w.in.width) {
        depthwise_outputs<K, S, P>(call, block_at(left, {0, K}), w.in.width * C, y + column * C);
        column += P;
        continue;
      }
    }
    depthwise_output(call, block_at(left, taps_inside(left, w.kernel, w.in.width)), w, y + column * C);
    ++column;
  }
}

template <int K, int S>
void depthwise_rows(const DepthwiseCall& call, const Windows& w, const Matrix& y) {
  for (Index picture = 0; picture < w.pictures; ++picture) {
    for (Index row = 0; row < w.out.height; ++row) {
      depthwise_row<K, S>(call, w, picture, row, y.row((picture * w.out.height + row) * w.out.width));
    }
  }
}

void depthwise_forward(ConstMatrix x, const Windows& w, const DepthwiseWeights& weights, Rectifier rectifier,
                       Matrix y) {
  const DepthwiseCall call{x, weights.taps, weights.bias.empty() ? nullptr : weights.bias.data(), rectifier};
  if (w.kernel == 3 && w.stride == 1) return depthwise_rows<3, 1>(call, w, y);
  if (w.kernel == 3 && w.stride == 2) return depthwise_rows<3, 2>(call, w, y);
  if (w.kernel == 5 && w.stride == 1) return depthwise_rows<5, 1>(call, w, y);
  if (w.kernel == 5 && w.stride == 2) return depthwise_rows<5, 2>(call, w, y);
  depthwise_rows<0, 0>(call, w, y);
}

// The taps by which a cell of x was read along one axis: every stride-th of [begin,end). Tap k belongs to the window
// (padded - k) / stride.
struct ReadingTaps {
  Index begin, end, padded;

  ReadingTaps(Index at, Index padding, Index windows, const Windows& w)
      : begin((at + padding) % w.stride), end(std::min(w.kernel, at + padding + 1)), padded(at + padding) {
    const Index least = padded - (windows - 1) * w.stride;  // of the last window
    if (begin < least) begin += (least - begin + w.stride - 1) / w.stride * w.stride;
  }
};

void depthwise_gather(ConstMatrix dy, const Windows& w, ConstMatrix taps, Matrix dx) {
  const Index C = dx.cols;
  Index cell = 0;
  for (Index picture = 0; picture < w.pictures; ++picture) {
    const Real* from = dy.row(picture * w.out.cells());
    for (Index row = 0; row < w.in.height; ++row) {
      const ReadingTaps rows(row, w.top, w.out.height, w);
      for (Index column = 0; column < w.in.width; ++column, ++cell) {
        const ReadingTaps columns(column, w.left, w.out.width, w);
        each_vector(C, [&](Index c, auto part) HWY_ATTR {
          V sum = hn::Zero(D());
          for (Index i = rows.begin; i < rows.end; i += w.stride) {
            const Real* above = from + (rows.padded - i) / w.stride * w.out.width * C + c;
            for (Index j = columns.begin; j < columns.end; j += w.stride) {
              sum = hn::MulAdd(part.load(above + (columns.padded - j) / w.stride * C),
                               part.load(taps.row(i * w.kernel + j) + c), sum);
            }
          }
          part.add(sum, dx.row(cell) + c);
        });
      }
    }
  }
}

// T neighbouring taps, from tap (row, column) on: sums over all windows stay in registers.
template <int T>
void taps_gradient(const ConstMatrix& x, const Windows& w, const ConstMatrix& dy, Index row, Index column,
                   const Matrix& dtaps) {
  const Index C = x.cols;
  each_vector(C, [&](Index c, auto part) HWY_ATTR {
    V sums[T];
#pragma GCC unroll 8
    for (int t = 0; t < T; ++t) sums[t] = hn::Zero(D());
    for (Index i = 0; i < w.pictures * w.out.height; ++i) {
      const Index at = i % w.out.height * w.stride - w.top + row;
      if (at < 0 || at >= w.in.height) continue;
      const Real* x_row = x.row((i / w.out.height * w.in.height + at) * w.in.width) + c;
      const Real* dy_row = dy.row(i * w.out.width) + c;
      for (Index j = 0; j < w.out.width; ++j) {
        const Index left = j * w.stride - w.left + column;
        const V d = part.load(dy_row + j * C);
        const bool inside = left >= 0 && left + T <= w.in.width;
#pragma GCC unroll 8
        for (int t = 0; t < T; ++t) {
          if (inside || (left + t >= 0 && left + t < w.in.width))
            sums[t] = hn::MulAdd(d, part.load(x_row + (left + t) * C), sums[t]);
        }
      }
    }
#pragma GCC unroll 8
    for (int t = 0; t < T; ++t) part.add(sums[t], dtaps.row(row * w.kernel + column + t) + c);
  });
}

void depthwise_taps_gradient(ConstMatrix x, const Windows& w, ConstMatrix dy, Matrix dtaps) {
  for (Index row = 0; row < w.kernel; ++row) {
    if (w.kernel == 3) {
      taps_gradient<3>(x, w, dy, row, 0, dtaps);
    } else if (w.kernel == 5) {
      taps_gradient<5>(x, w, dy, row, 0, dtaps);
    } else {
      for (Index column = 0; column < w.kernel; ++column) taps_gradient<1>(x, w, dy, row, column, dtaps);
    }
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(depthwise_forward);
HWY_EXPORT(depthwise_gather);
HWY_EXPORT(depthwise_taps_gradient);

void depthwise(ConstMatrix x, const Windows& windows, const DepthwiseWeights& weights, Rectifier rectifier, Matrix y) {
  HWY_DYNAMIC_DISPATCH(depthwise_forward)(x, windows, weights, rectifier, y);
}

void depthwise_backward_x(ConstMatrix dy, const Windows& windows, ConstMatrix taps, Matrix dx) {
  HWY_DYNAMIC_DISPATCH(depthwise_gather)(dy, windows, taps, dx);
}

void depthwise_backward_taps(ConstMatrix x, const Windows& windows, ConstMatrix dy, Matrix dtaps) {
  HWY_DYNAMIC_DISPATCH(depthwise_taps_gradient)(x, windows, dy, dtaps);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
