#include "kernels/convolution/patches.h"

#include <algorithm>

#include "kernels/gemm/scratch_buffer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/convolution/patches.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

void set_zeros(Real* to, Index n) { std::fill_n(to, n, Real{0}); }

// A row of taps is contiguous in x and in the patch.
void gather_patch_rows(ConstMatrix x, const Windows& w, Index first, Matrix patches) {
  const Index C = x.cols, row_values = w.kernel * C;
  WindowPlace place = WindowPlace::of(w, first);
  for (Index r = 0; r < patches.rows; ++r, place.next(w)) {
    const Index left = place.column * w.stride - w.left, top = place.row * w.stride - w.top;
    const TapRange columns = taps_inside(left, w.kernel, w.in.width);
    const Index before = columns.begin * C, inside = (columns.end - columns.begin) * C;
    Real* to = patches.row(r);
    for (Index k = 0; k < w.kernel; ++k, to += row_values) {
      const Index row = top + k;
      if (row < 0 || row >= w.in.height) {
        set_zeros(to, row_values);
        continue;
      }
      const Real* from = x.row((place.picture * w.in.height + row) * w.in.width + left + columns.begin);
      set_zeros(to, before);
      transform(
          inside, to + before, [](V v) HWY_ATTR { return v; }, from);
      set_zeros(to + before + inside, row_values - before - inside);
    }
  }
}

void scatter_patch_rows(ConstMatrix patches, const Windows& w, Index first, Matrix x) {
  const Index C = x.cols, row_values = w.kernel * C;
  WindowPlace place = WindowPlace::of(w, first);
  for (Index r = 0; r < patches.rows; ++r, place.next(w)) {
    const Index left = place.column * w.stride - w.left, top = place.row * w.stride - w.top;
    const TapRange columns = taps_inside(left, w.kernel, w.in.width), rows = taps_inside(top, w.kernel, w.in.height);
    for (Index k = rows.begin; k < rows.end; ++k) {
      Real* to = x.row((place.picture * w.in.height + top + k) * w.in.width + left + columns.begin);
      accumulate((columns.end - columns.begin) * C, to, [](V v) HWY_ATTR { return v; },
                 patches.row(r) + k * row_values + columns.begin * C);
    }
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(gather_patch_rows);
HWY_EXPORT(scatter_patch_rows);

namespace {

constexpr Index kPatchPadding = 16;       // so that patches do not start in the same cache set
constexpr Index kBlockValues = 80 << 10;  // of a block of patches
constexpr Index kBlockCells = 240;        // of a block of rows of x

Index patches_per_block(Index values) { return std::max<Index>(24, kBlockValues / (values + kPatchPadding) / 12 * 12); }

// Calls f(block, first) with blocks of patches in a buffer of this thread.
template <class F>
void for_buffered_blocks(const Windows& w, Index channels, const F& f) {
  thread_local ScratchBuffer buffer;
  const Index values = w.kernel * w.kernel * channels, stride = values + kPatchPadding;
  const Index block = std::min(patches_per_block(values), w.rows());
  Real* memory = buffer.reserve(block * stride);
  for (Index first = 0; first < w.rows(); first += block) {
    f(Matrix{memory, std::min(block, w.rows() - first), values, stride}, first);
  }
}

}  // namespace

void gather_patches(ConstMatrix x, const Windows& windows, Index first, Matrix patches) {
  HWY_DYNAMIC_DISPATCH(gather_patch_rows)(x, windows, first, patches);
}

void scatter_patches_add(ConstMatrix patches, const Windows& windows, Index first, Matrix x) {
  HWY_DYNAMIC_DISPATCH(scatter_patch_rows)(patches, windows, first, x);
}

void for_patch_blocks(ConstMatrix x, const Windows& windows, FunctionRef<void(ConstMatrix, Index)> f) {
  if (windows.are_cells()) {
    for (Index first = 0; first < x.rows; first += kBlockCells) {
      f({x.row(first), std::min(kBlockCells, x.rows - first), x.cols, x.stride}, first);
    }
    return;
  }
  for_buffered_blocks(windows, x.cols, [&](Matrix patches, Index first) {
    gather_patches(x, windows, first, patches);
    f(patches, first);
  });
}

void add_patch_blocks(const Windows& windows, FunctionRef<void(Matrix, Index)> fill, Matrix x) {
  for_buffered_blocks(windows, x.cols, [&](Matrix patches, Index first) {
    fill(patches, first);
    scatter_patches_add(patches, windows, first, x);
  });
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
