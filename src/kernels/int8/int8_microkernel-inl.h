// The int8 GEMM microkernel: a few rows times one panel of columns, as in microkernel-inl.h. Compiled once per
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

// sum_j += a_0 b_j0 + ... + a_3 b_j3: each lane of b holds four values; a holds four of the row, 0 to 255.
struct PortableDot {
  static HWY_INLINE VI factor(const std::uint8_t* a) {
    std::int32_t four;
    std::memcpy(&four, a, sizeof(four));
    return hn::Set(DI(), four);
  }
#if HWY_TARGET <= HWY_SSE4 && HWY_ARCH_X86  // pairs of 16-bit values
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
struct VnniDot : PortableDot {
  static HWY_INLINE VI add(VI sum, VI a, VI b) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    return sum;
  }
};
inline bool has_vnni() { return __builtin_cpu_supports("avx512vnni") != 0; }
#endif

using DF = hn::RebindToFloat<DI>;
using VF = hn::Vec<DF>;

// Splits M rows into microkernel calls of `height` rows, and one more in each of the first `higher` calls.
struct MicrokernelRows {
  Index calls, height, higher;

  HWY_INLINE explicit MicrokernelRows(Index M)
      : calls((M + kMicrokernelRows - 1) / kMicrokernelRows),
        height(M / std::max<Index>(calls, 1)),
        higher(M - height * calls) {}
  HWY_INLINE Index row(Index call) const { return call * height + std::min(call, higher); }
};

// One panel of columns, and the part of the next panel that this microkernel call prefetches.
struct Int8Panel {
  const std::int32_t* values;  // [quads,width]
  Index column;
  const char* ahead;
  Index step;  // bytes to prefetch per quad
};

// s_x s_w sum
HWY_INLINE VF scaled(VI sum, VF x_scale, VF scales) {
  return hn::Mul(hn::ConvertTo(DF(), sum), hn::Mul(x_scale, scales));
}

// y = s_x s_w sum + b for one row of a partial panel.
template <class Epilogue>
HWY_INLINE void apply_partial(const Int8Operands& of, Index row, Index column, VI first, VI second,
                              const Epilogue& epilogue) {
  const Index half = int8_width() / 2, n = std::min(epilogue.columns() - column, int8_width());
  const VF x_scale = hn::Set(DF(), of.x_scales[row]);
  float scaled_sums[2 * HWY_MAX_BYTES / sizeof(float)];
  Real values[2 * HWY_MAX_BYTES / sizeof(float)];
  hn::StoreU(scaled(first, x_scale, hn::LoadU(DF(), of.scales + column)), DF(), scaled_sums);
  hn::StoreU(scaled(second, x_scale, hn::LoadU(DF(), of.scales + column + half)), DF(), scaled_sums + half);
  for (Index j = 0; j < n; ++j) values[j] = scaled_sums[j] + (of.bias == nullptr ? 0 : of.bias[column + j]);
  epilogue.apply_partial(row, column, n, values);
}

#ifndef DHYAN_REAL_DOUBLE
// Sums of R rows and a whole panel; row() computes y = s_x s_w sum + b from them on demand.
template <int R>
struct PanelSums {
  static constexpr int kRows = R;

  const VI (&first)[R], (&second)[R];
  const float* x_scales;  // [R]
  V scales0, scales1, bias0, bias1;

  HWY_INLINE PanelRow row(int r) const {
    const V x_scale = all(x_scales[r]);
    return {hn::Add(scaled(first[r], x_scale, scales0), bias0), hn::Add(scaled(second[r], x_scale, scales1), bias1)};
  }

  // An upper bound of the row's values at half their cost: of two columns, the larger sum, scale and bias give at least
  // what each column gives, since rounding is monotonic. NaN if one of them may be NaN.
  HWY_INLINE V upper_bound(int r) const {
    const VI sum =
        hn::Max(hn::Max(first[r], second[r]), hn::Zero(DI()));  // at least 0: a larger scale would lower a negative sum
    return hn::Add(scaled(sum, all(x_scales[r]), hn::Max(scales0, scales1)), hn::Max(bias0, bias1));
  }
};
#endif

// The same for R rows and a panel.
template <int R, class Epilogue>
HWY_INLINE void apply_epilogue(const Int8Operands& of, Index row, Index column, const VI (&first)[R],
                               const VI (&second)[R], const Epilogue& epilogue) {
#ifndef DHYAN_REAL_DOUBLE
  if (HWY_LIKELY(column + int8_width() <= epilogue.columns())) {
    const Index half = int8_width() / 2;
    const auto bias = [&](Index at) HWY_ATTR { return of.bias == nullptr ? hn::Zero(D()) : load(of.bias + at); };
    return epilogue.apply(row, column,
                          PanelSums<R>{first, second, of.x_scales + row, load(of.scales + column),
                                       load(of.scales + column + half), bias(column), bias(column + half)});
  }
#endif
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) apply_partial(of, row + r, column, first[r], second[r], epilogue);
}

// R rows times one panel, epilogue included; see microkernel-inl.h. Sums start with the compensation of x's offset.
template <class Dot, int R, class Epilogue>
HWY_NOINLINE void int8_microkernel(const Int8Operands& of, Index row, const Int8Panel& panel, const Epilogue& shared) {
  const Epilogue epilogue = shared;  // a local copy, which stores to y cannot alias
  const Index half = int8_width() / 2;
  const std::int32_t* values = panel.values;
  const char* ahead = panel.ahead;
  VI first[R], second[R];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
    first[r] = hn::LoadU(DI(), of.compensation + panel.column);
    second[r] = hn::LoadU(DI(), of.compensation + panel.column + half);
  }
  const std::uint8_t* line = of.x + row * of.quads * kQuad;
  for (Index left = of.quads; left > 0; left -= kQuadsPerLine, line += R * kLineBytes) {
    for (const std::uint8_t* at = line; at < line + kLineBytes; at += kQuad) {
      const VI b0 = hn::LoadU(DI(), values), b1 = hn::LoadU(DI(), values + half);
      __builtin_prefetch(ahead, 0, 2);
      __builtin_prefetch(ahead + 64, 0, 2);
      values += int8_width(), ahead += panel.step;
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        const VI a = Dot::factor(at + r * kLineBytes);
        first[r] = Dot::add(first[r], a, b0);
        second[r] = Dot::add(second[r], a, b1);
      }
    }
  }
  apply_epilogue(of, row, panel.column, first, second, epilogue);
}

template <class Dot, int R = kMicrokernelRows, class Epilogue>
HWY_INLINE void int8_microkernel_for(Index rows, const Int8Operands& of, Index row, const Int8Panel& panel,
                                     const Epilogue& epilogue) {
  if constexpr (R > 1) {
    if (rows < R) return int8_microkernel_for<Dot, R - 1>(rows, of, row, panel, epilogue);
  }
  int8_microkernel<Dot, R>(of, row, panel, epilogue);
}

// Compensation, scales and bias of a panel, which every microkernel call would otherwise wait for.
HWY_INLINE void prefetch_columns(const Int8Operands& of, Index column) {
  for (Index at = column; at < column + int8_width(); at += kLineBytes / static_cast<Index>(sizeof(float))) {
    hwy::Prefetch(of.compensation + at);
    hwy::Prefetch(of.scales + at);
    if (of.bias != nullptr) hwy::Prefetch(of.bias + at);
  }
}

// The first panel, which no earlier one prefetches.
HWY_INLINE void prefetch_first_panel(const Int8Operands& of) {
  constexpr Index kMaxBytes = 16384;
  const auto* bytes = reinterpret_cast<const char*>(of.panels);
  const Index size = std::min(of.quads * int8_width() * kQuad, kMaxBytes);
  for (Index at = 0; at < size; at += kLineBytes) __builtin_prefetch(bytes + at, 0, 2);
  prefetch_columns(of, 0);
}

// A chunk of rows stays in the L2 cache while all panels pass by.
template <class Dot, class Epilogue>
void int8_gemm_with(const Int8Operands& of, const Epilogue& epilogue) {
  const MicrokernelRows blocks(of.rows);
  const Index panel_size = of.quads * int8_width(), line_pair = int8_width() * kQuad;
  constexpr Index kChunkBytes = 262144;
  const Index chunk = std::max<Index>(1, kChunkBytes / (of.quads * kQuad * kMicrokernelRows));
  constexpr Index kMinRowsToPrefetch = 4;  // fewer rows finish a panel before the prefetch arrives
  const bool prefetches = of.rows >= kMinRowsToPrefetch;
  if (prefetches) prefetch_first_panel(of);
  for (Index begin = 0; begin < blocks.calls; begin += chunk) {
    const Index end = std::min(begin + chunk, blocks.calls), step = line_pair / (end - begin);
    const std::int32_t* panel = of.panels;
    for (Index column = 0; column < epilogue.columns(); column += int8_width(), panel += panel_size) {
      if (prefetches) prefetch_columns(of, column + int8_width());
      const char* ahead = reinterpret_cast<const char*>(panel + panel_size);
      for (Index t = begin; t < end; ++t, ahead += of.quads * step) {
        epilogue.prefetch_rows(blocks.row(t), blocks.row(t + 1), column);
        int8_microkernel_for<Dot>(blocks.row(t + 1) - blocks.row(t), of, blocks.row(t), {panel, column, ahead, step},
                                  epilogue);
      }
    }
  }
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
