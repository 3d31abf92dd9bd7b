// Quantization to int8 with one scale per row, its largest absolute value / 127 or a given one. Compiled once per
// instruction set; see simd-inl.h.
#if defined(DHYAN_KERNELS_INT8_QUANTIZE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_INT8_QUANTIZE_INL_H
#undef DHYAN_KERNELS_INT8_QUANTIZE_INL_H
#else
#define DHYAN_KERNELS_INT8_QUANTIZE_INL_H
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/int8/int8_operands.h"
#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

// to_k = round(x_k * inverse) + offset
template <class Byte>
HWY_INLINE void quantize_values(const Real* from, Real inverse, Index n, Index offset, Byte* to) {
  Index k = 0;
#ifndef DHYAN_REAL_DOUBLE
  const hn::Rebind<Byte, D> d8;
  const auto offsets = hn::Set(hn::Rebind<std::int32_t, D>(), static_cast<std::int32_t>(offset));
  for (; k + lanes() <= n; k += lanes()) {
    const auto whole = hn::NearestInt(hn::Mul(load(from + k), all(inverse)));
    hn::StoreU(hn::DemoteTo(d8, hn::Add(whole, offsets)), d8, to + k);
  }
#endif
  for (; k < n; ++k) to[k] = static_cast<Byte>(static_cast<Index>(std::nearbyint(from[k] * inverse)) + offset);
}

// One cache line of values, plus 128.
HWY_INLINE void quantize_line(const Real* from, Real inverse, std::uint8_t* to) {
#if HWY_TARGET == HWY_AVX3 && !defined(DHYAN_REAL_DOUBLE)
  const V factor = all(inverse);
  const auto whole = [&](Index i)
                         HWY_ATTR { return _mm512_cvtps_epi32(hn::Mul(load(from + i * lanes()), factor).raw); };
  const __m512i first = _mm512_packs_epi32(whole(0), whole(1)), second = _mm512_packs_epi32(whole(2), whole(3));
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const __m512i bytes = _mm512_permutexvar_epi32(order, _mm512_packs_epi16(first, second));
  _mm512_storeu_si512(to, _mm512_xor_si512(bytes, _mm512_set1_epi8(-128)));
#else
  quantize_values(from, inverse, kLineBytes, 128, to);
#endif
}

// Largest |x| in each lane.
HWY_INLINE V max_abs_by_lane(Index n, const Real* x) {
  V largest[4] = {hn::Zero(D()), hn::Zero(D()), hn::Zero(D()), hn::Zero(D())};
  Index i = 0;
  for (; i + 4 * lanes() <= n; i += 4 * lanes()) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) largest[j] = hn::Max(largest[j], hn::Abs(load(x + i + j * lanes())));
  }
  for (; i + lanes() <= n; i += lanes()) largest[0] = hn::Max(largest[0], hn::Abs(load(x + i)));
  if (i < n) largest[1] = hn::Max(largest[1], hn::Abs(load_some(x + i, n - i)));
  return hn::Max(hn::Max(largest[0], largest[1]), hn::Max(largest[2], largest[3]));
}

// Quantizes a row into cache lines `stride` bytes apart, pads the last with zeros (128), and returns the scale. Values
// times the multiplier that exceed 127 become 127.
HWY_INLINE float quantize_row_statically(const Real* row, Index n, float multiplier, std::uint8_t* to, Index stride) {
  const V largest = all(127 / static_cast<Real>(multiplier)), least = hn::Neg(largest);
  for (Index k = 0; k < n; k += kLineBytes, to += stride) {
    HWY_ALIGN Real line[kLineBytes] = {};
    transform(
        std::min(n - k, kLineBytes), line, [&](V x) HWY_ATTR { return hn::Max(hn::Min(x, largest), least); }, row + k);
    quantize_line(line, multiplier, to);
  }
  return 1 / multiplier;
}

// The same with the largest absolute value of the row as 127.
HWY_INLINE float quantize_row(const Real* row, Index n, std::uint8_t* to, Index stride) {
  const Real largest = hn::GetLane(hn::MaxOfLanes(D(), max_abs_by_lane(n, row)));
  const Real inverse = largest > 0 ? 127 / largest : 0;
  Index k = 0;
  for (; k + kLineBytes <= n; k += kLineBytes, to += stride) quantize_line(row + k, inverse, to);
  if (k < n) {
    HWY_ALIGN Real rest[kLineBytes] = {};
    std::copy_n(row + k, n - k, rest);
    quantize_line(rest, inverse, to);
  }
  return static_cast<float>(largest) / 127;
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
