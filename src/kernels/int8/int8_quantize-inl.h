// Rows as 8-bit products read them: each in steps of its largest number / 127. Compiled once per instruction set; see
// simd-inl.h.
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

// Rounded to the nearest whole number, plus `shift`.
template <class Byte>
HWY_INLINE void round_row(const Real* from, Real inverse, Index n, Index shift, Byte* to) {
  Index k = 0;
#ifndef DHYAN_REAL_DOUBLE
  const hn::Rebind<Byte, D> d8;
  const auto shifts = hn::Set(hn::Rebind<std::int32_t, D>(), static_cast<std::int32_t>(shift));
  for (; k + lanes() <= n; k += lanes()) {
    const auto whole = hn::NearestInt(hn::Mul(load(from + k), all(inverse)));
    hn::StoreU(hn::DemoteTo(d8, hn::Add(whole, shifts)), d8, to + k);
  }
#endif
  for (; k < n; ++k) to[k] = static_cast<Byte>(static_cast<Index>(std::nearbyint(from[k] * inverse)) + shift);
}

// A line of values, shifted by 128.
HWY_INLINE void round_line(const Real* from, Real inverse, std::uint8_t* to) {
#if HWY_TARGET == HWY_AVX3 && !defined(DHYAN_REAL_DOUBLE)
  const V factor = all(inverse);
  const auto whole = [&](Index i)
                         HWY_ATTR { return _mm512_cvtps_epi32(hn::Mul(load(from + i * lanes()), factor).raw); };
  const __m512i first = _mm512_packs_epi32(whole(0), whole(1)), second = _mm512_packs_epi32(whole(2), whole(3));
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const __m512i bytes = _mm512_permutexvar_epi32(order, _mm512_packs_epi16(first, second));
  _mm512_storeu_si512(to, _mm512_xor_si512(bytes, _mm512_set1_epi8(-128)));
#else
  round_row(from, inverse, kLine, 128, to);
#endif
}

// Largest |x| of so many values, of each lane.
HWY_INLINE V largest_of_lanes(Index n, const Real* x) {
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

// To lines that lie `step` bytes apart, the last filled up with what stands for 0; returns the size of a step.
HWY_INLINE float round_to_lines(const Real* row, Index n, std::uint8_t* to, Index step) {
  const Real largest = hn::GetLane(hn::MaxOfLanes(D(), largest_of_lanes(n, row)));
  const Real inverse = largest > 0 ? 127 / largest : 0;
  Index k = 0;
  for (; k + kLine <= n; k += kLine, to += step) round_line(row + k, inverse, to);
  if (k < n) {
    HWY_ALIGN Real rest[kLine] = {};
    std::copy_n(row + k, n - k, rest);
    round_line(rest, inverse, to);
  }
  return static_cast<float>(largest) / 127;
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
