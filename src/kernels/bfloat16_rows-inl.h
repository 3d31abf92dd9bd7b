// Vectors of rows of 16 bits, read by the loops that read Reals. Compiled once per instruction set; see simd-inl.h.
#if defined(DHYAN_KERNELS_BFLOAT16_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_BFLOAT16_ROWS_INL_H
#undef DHYAN_KERNELS_BFLOAT16_ROWS_INL_H
#else
#define DHYAN_KERNELS_BFLOAT16_ROWS_INL_H
#endif

#include <algorithm>

#include "kernels/bfloat16_rows.h"
#include "kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

HWY_INLINE V load(const Bfloat16* from) {
  const hn::Rebind<float, D> d32;
  const hn::Rebind<std::uint16_t, D> d16;
  const auto bits = hn::PromoteTo(hn::RebindToUnsigned<decltype(d32)>(), hn::LoadU(d16, &from->bits));
  const auto numbers = hn::BitCast(d32, hn::ShiftLeft<16>(bits));
#ifdef DHYAN_REAL_DOUBLE
  return hn::PromoteTo(D(), numbers);
#else
  return numbers;
#endif
}

HWY_INLINE V load_some(const Bfloat16* from, Index n) {
  Bfloat16 some[HWY_MAX_BYTES / sizeof(Real)] = {};
  std::copy_n(from, n, some);
  return load(some);
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
