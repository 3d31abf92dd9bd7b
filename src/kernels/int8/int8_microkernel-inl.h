// Products of 8-bit values: a tile of some rows and one panel of columns, as in microkernel-inl.h. Compiled once per
// instruction set; see simd-inl.h.
#if defined(DHYAN_KERNELS_INT8_MICROKERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_INT8_MICROKERNEL_INL_H
#undef DHYAN_KERNELS_INT8_MICROKERNEL_INL_H
#else
#define DHYAN_KERNELS_INT8_MICROKERNEL_INL_H
#endif

#include <algorithm>

#include "kernels/int8/int8_epilogue-inl.h"
#include "kernels/int8/int8_operands.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

using DI = hn::ScalableTag<std::int32_t>;
using VI = hn::Vec<DI>;

HWY_INLINE Index int8_width() { return 2 * static_cast<Index>(hn::Lanes(DI())); }

// sum_j += a_0 b_j0 + ... + a_3 b_j3, where each lane of b holds four values and a those of the row, from 0 to 255.
struct AnyDot {
  static HWY_INLINE VI factor(const std::uint8_t* a) {
    std::int32_t four;
    std::memcpy(&four, a, sizeof(four));
    return hn::Set(DI(), four);
  }
#if HWY_TARGET <= HWY_SSE4 && HWY_ARCH_X86  // values of 16 bits in pairs
  static HWY_INLINE VI add(VI sum, VI a, VI b) {
    const hn::Repartition<std::int16_t, DI> d16;
    const hn::Repartition<std::uint16_t, DI> du16;
    const auto a16 = hn::BitCast(du16, a);
    const auto b16 = hn::BitCast(d16, b);
    const auto even_a = hn::BitCast(d16, hn::And(a16, hn::Set(du16, 255))),
               odd_a = hn::BitCast(d16, hn::ShiftRight<8>(a16));
    const auto even_b = hn::ShiftRight<8>(hn::ShiftLeft<8>(b16)), odd_b = hn::ShiftRight<8>(b16);
    VI unused = hn::Zero(DI());
    sum = hn::ReorderWidenMulAccumulate(DI(), even_a, even_b, sum, unused);
    return hn::ReorderWidenMulAccumulate(DI(), odd_a, odd_b, sum, unused);
  }
#else
  static HWY_INLINE VI add(VI sum, VI a, VI b) {
    const VI low = hn::Set(DI(), 255);
    sum = hn::Add(sum, hn::Mul(hn::And(a, low), hn::ShiftRight<24>(hn::ShiftLeft<24>(b))));
    sum = hn::Add(sum, hn::Mul(hn::And(hn::ShiftRight<8>(a), low), hn::ShiftRight<24>(hn::ShiftLeft<16>(b))));
    sum = hn::Add(sum, hn::Mul(hn::And(hn::ShiftRight<16>(a), low), hn::ShiftRight<24>(hn::ShiftLeft<8>(b))));
    return hn::Add(sum, hn::Mul(hn::And(hn::ShiftRight<24>(a), low), hn::ShiftRight<24>(b)));
  }
#endif
};

#if HWY_TARGET == HWY_AVX3
struct VnniDot : AnyDot {
  static HWY_INLINE VI add(VI sum, VI a, VI b) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    return sum;
  }
};
inline bool has_vnni() { return __builtin_cpu_supports("avx512vnni") != 0; }
#endif

using DF = hn::RebindToFloat<DI>;
using VF = hn::Vec<DF>;

// Rows in tiles of about the same height: so many, and one more in the first of them.
struct RowBlocks {
  Index tiles, height, higher;

  HWY_INLINE explicit RowBlocks(Index M)
      : tiles((M + kMicrokernelRows - 1) / kMicrokernelRows),
        height(M / std::max<Index>(tiles, 1)),
        higher(M - height * tiles) {}
  HWY_INLINE Index row(Index tile) const { return tile * height + std::min(tile, higher); }
};

// One panel of columns, and what is asked for while it is multiplied: the part of the next one that is this tile's.
struct Int8Panel {
  const std::int32_t* values;  // [quads,width]
  Index column;
  const char* ahead;
  Index step;  // bytes of it for each quad
};

// s_x s_w sum of some columns
HWY_INLINE VF scaled(VI sum, VF x_scale, VF scales) {
  return hn::Mul(hn::ConvertTo(DF(), sum), hn::Mul(x_scale, scales));
}

// y = s_x s_w sum + b of one row, number by number as far as there are columns.
template <class Epilogue>
HWY_INLINE void apply_partial(const Int8Operands& of, Index row, Index column, VI first, VI second,
                              const Epilogue& ending) {
  const Index half = int8_width() / 2, n = std::min(ending.columns() - column, int8_width());
  const VF x_scale = hn::Set(DF(), of.x_scales[row]);
  float products[2 * HWY_MAX_BYTES / sizeof(float)];
  Real values[2 * HWY_MAX_BYTES / sizeof(float)];
  hn::StoreU(scaled(first, x_scale, hn::LoadU(DF(), of.scales + column)), DF(), products);
  hn::StoreU(scaled(second, x_scale, hn::LoadU(DF(), of.scales + column + half)), DF(), products + half);
  for (Index j = 0; j < n; ++j) values[j] = products[j] + (of.bias == nullptr ? 0 : of.bias[column + j]);
  ending.apply_partial(row, column, n, values);
}

#ifndef DHYAN_REAL_DOUBLE
// Sums of some rows and all columns of a panel, and what makes values of them, y = s_x s_w sum + b, when asked for.
template <int R>
struct SumsOfPanel {
  static constexpr int kRows = R;

  const VI (&first)[R], (&second)[R];
  const float* x_scales;  // [R]
  V scales0, scales1, bias0, bias1;

  HWY_INLINE RowOfPanel row(int r) const {
    const V x_scale = all(x_scales[r]);
    return {hn::Add(scaled(first[r], x_scale, scales0), bias0), hn::Add(scaled(second[r], x_scale, scales1), bias1)};
  }

  // What no number of the row exceeds, at half of their cost: of two columns the larger sum, scale and bias give no
  // less than each does, since rounding keeps an order. Not a number if one of them may be none.
  HWY_INLINE V most_of_row(int r) const {
    const VI sum = hn::Max(hn::Max(first[r], second[r]), hn::Zero(DI()));  // a larger scale makes less of what is below
    return hn::Add(scaled(sum, all(x_scales[r]), hn::Max(scales0, scales1)), hn::Max(bias0, bias1));
  }
};
#endif

// The same of some rows and a panel.
template <int R, class Epilogue>
HWY_INLINE void apply_epilogue(const Int8Operands& of, Index row, Index column, const VI (&first)[R],
                               const VI (&second)[R], const Epilogue& ending) {
#ifndef DHYAN_REAL_DOUBLE
  if (HWY_LIKELY(column + int8_width() <= ending.columns())) {
    const Index half = int8_width() / 2;
    const auto bias = [&](Index at) HWY_ATTR { return of.bias == nullptr ? hn::Zero(D()) : load(of.bias + at); };
    return ending.finish(row, column,
                         SumsOfPanel<R>{first, second, of.x_scales + row, load(of.scales + column),
                                        load(of.scales + column + half), bias(column), bias(column + half)});
  }
#endif
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) apply_partial(of, row + r, column, first[r], second[r], ending);
}

// Some rows and one panel, to the end; see microkernel-inl.h. Sums begin with what takes the shift of x away again.
template <class Dot, int R, class Epilogue>
HWY_NOINLINE void int8_microkernel(const Int8Operands& of, Index row, const Int8Panel& panel, const Epilogue& to) {
  const Epilogue ending = to;  // a copy, which what is written to y leaves as it is
  const Index half = int8_width() / 2;
  const std::int32_t* values = panel.values;
  const char* ahead = panel.ahead;
  VI first[R], second[R];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
    first[r] = hn::LoadU(DI(), of.starts + panel.column);
    second[r] = hn::LoadU(DI(), of.starts + panel.column + half);
  }
  const std::uint8_t* line = of.x + row * of.quads * kQuad;
  for (Index left = of.quads; left > 0; left -= kQuadsOfLine, line += R * kLine) {
    for (const std::uint8_t* at = line; at < line + kLine; at += kQuad) {
      const VI b0 = hn::LoadU(DI(), values), b1 = hn::LoadU(DI(), values + half);
      __builtin_prefetch(ahead, 0, 2);
      __builtin_prefetch(ahead + 64, 0, 2);
      values += int8_width(), ahead += panel.step;
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        const VI a = Dot::factor(at + r * kLine);
        first[r] = Dot::add(first[r], a, b0);
        second[r] = Dot::add(second[r], a, b1);
      }
    }
  }
  apply_epilogue(of, row, panel.column, first, second, ending);
}

template <class Dot, int R = kMicrokernelRows, class Epilogue>
HWY_INLINE void int8_microkernel_for(Index rows, const Int8Operands& of, Index row, const Int8Panel& panel,
                                     const Epilogue& ending) {
  if constexpr (R > 1) {
    if (rows < R) return int8_microkernel_for<Dot, R - 1>(rows, of, row, panel, ending);
  }
  int8_microkernel<Dot, R>(of, row, panel, ending);
}

// What a panel has beside its values; unless it is asked for, each tile waits for some at its beginning and its end.
HWY_INLINE void ask_for_columns(const Int8Operands& of, Index column) {
  for (Index at = column; at < column + int8_width(); at += kLine / static_cast<Index>(sizeof(float))) {
    hwy::Prefetch(of.starts + at);
    hwy::Prefetch(of.scales + at);
    if (of.bias != nullptr) hwy::Prefetch(of.bias + at);
  }
}

// The first panel, which no other could ask for.
HWY_INLINE void ask_for_first_panel(const Int8Operands& of) {
  constexpr Index kMostBytes = 16384;
  const auto* bytes = reinterpret_cast<const char*>(of.panels);
  const Index size = std::min(of.quads * int8_width() * kQuad, kMostBytes);
  for (Index at = 0; at < size; at += kLine) __builtin_prefetch(bytes + at, 0, 2);
  ask_for_columns(of, 0);
}

// A chunk of tiles stays in the second-level cache while it goes through all panels: these come from further away.
template <class Dot, class Epilogue>
void int8_product_by(const Int8Operands& of, const Epilogue& ending) {
  const RowBlocks cut(of.rows);
  const Index panel_size = of.quads * int8_width(), line_pair = int8_width() * kQuad;
  constexpr Index kChunkBytes = 262144;
  const Index chunk = std::max<Index>(1, kChunkBytes / (of.quads * kQuad * kMicrokernelRows));
  constexpr Index kRowsToAskFor = 4;  // fewer have done with a panel before the answer is there
  const bool asks = of.rows >= kRowsToAskFor;
  if (asks) ask_for_first_panel(of);
  for (Index begin = 0; begin < cut.tiles; begin += chunk) {
    const Index end = std::min(begin + chunk, cut.tiles), step = line_pair / (end - begin);
    const std::int32_t* panel = of.panels;
    for (Index column = 0; column < ending.columns(); column += int8_width(), panel += panel_size) {
      if (asks) ask_for_columns(of, column + int8_width());
      const char* ahead = reinterpret_cast<const char*>(panel + panel_size);
      for (Index t = begin; t < end; ++t, ahead += of.quads * step) {
        ending.expect_rows(cut.row(t), cut.row(t + 1), column);
        int8_microkernel_for<Dot>(cut.row(t + 1) - cut.row(t), of, cut.row(t), {panel, column, ahead, step}, ending);
      }
    }
  }
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
