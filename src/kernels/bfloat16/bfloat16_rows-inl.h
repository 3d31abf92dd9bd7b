// Rows of bfloat16, interleaved for vector registers: each 32-bit lane holds a value of one vector in its lower half
// and the corresponding value of the next vector in its upper half, so that one instruction widens either. Rows that
// are not whole pairs of vectors, and all rows if Real is double, are not interleaved. Compiled once per instruction
// set; see simd-inl.h.
#if defined(DHYAN_KERNELS_BFLOAT16_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_BFLOAT16_ROWS_INL_H
#undef DHYAN_KERNELS_BFLOAT16_ROWS_INL_H
#else
#define DHYAN_KERNELS_BFLOAT16_ROWS_INL_H
#endif

#include "kernels/bfloat16/bfloat16_rows.h"
#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

struct TwoVectors {
  V first, second;
};

HWY_INLINE TwoVectors load_two(const Real* from) { return {load(from), load(from + lanes())}; }

#ifdef DHYAN_REAL_DOUBLE

HWY_INLINE bool is_interleaved(Index) { return false; }

HWY_INLINE TwoVectors load_two(const Bfloat16* from) {
  HWY_ALIGN Real values[2 * HWY_MAX_BYTES / sizeof(Real)];
  for (Index i = 0; i < 2 * lanes(); ++i) values[i] = to_real(from[i]);
  return load_two(values);
}

#else

HWY_INLINE bool is_interleaved(Index columns) { return columns % (2 * lanes()) == 0; }

HWY_INLINE TwoVectors load_two(const Bfloat16* from) {
  const hn::RebindToUnsigned<D> d;
  const auto cells = hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(from));
  return {hn::BitCast(D(), hn::ShiftLeft<16>(cells)), hn::BitCast(D(), hn::And(cells, hn::Set(d, 0xffff0000u)))};
}

#endif

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
