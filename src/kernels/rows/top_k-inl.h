// Building blocks of top-k. Compiled once per instruction set; see simd-inl.h.
#if defined(DHYAN_KERNELS_TOP_K_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_TOP_K_INL_H
#undef DHYAN_KERNELS_TOP_K_INL_H
#else
#define DHYAN_KERNELS_TOP_K_INL_H
#endif

#include <cstdint>
#include <cstring>

#include "kernels/rows/top_k.h"
#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

// Inserts a candidate into `count` sorted entries, after equal ones; the last entry drops out.
HWY_INLINE void insert(Ranked candidate, Index count, Ranked* sorted) {
  Index place = count - 1;
  for (; place > 0 && sorted[place - 1].value < candidate.value; --place) sorted[place] = sorted[place - 1];
  sorted[place] = candidate;
}

using Lanes = std::uint64_t;  // one bit per lane

HWY_INLINE Lanes lanes_of(hn::Mask<D> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(D(), mask, bytes);
  Lanes bits;
  std::memcpy(&bits, bytes, sizeof(bits));
  return bits;
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
