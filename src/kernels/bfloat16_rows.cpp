#include "kernels/bfloat16_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bfloat16_rows.cpp"
#include <hwy/foreach_target.h>

#include "kernels/numbers-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// Cells of two numbers are the numbers one after the other.
template <class Numbers>
void round_rows_by(ConstMatrix x, Bfloat16* to) {
  for (Index r = 0; r < x.rows; ++r, to += x.cols) {
    const Real* from = x.row(r);
    Index i = 0;
#if HWY_TARGET != HWY_SCALAR && !defined(DHYAN_REAL_DOUBLE)
    const hn::ScalableTag<typename Numbers::Cell> cells;
    const hn::Repartition<std::uint16_t, decltype(cells)> d16;
    for (; i + 2 * lanes() <= x.cols; i += 2 * lanes()) {
      hn::StoreU(hn::BitCast(d16, Numbers::along(cells, from + i)), d16, &to[i].bits);
    }
#endif
    for (; i < x.cols; ++i) to[i].bits = static_cast<std::uint16_t>(bfloat16_bits(static_cast<float>(from[i])));
  }
}

void round_rows_to_bfloat16(ConstMatrix x, Bfloat16* to) {
#if HWY_TARGET == HWY_AVX3 && !defined(DHYAN_REAL_DOUBLE)
  if (has_bfloat16()) return round_rows_by<Bfloat16Dots>(x, to);
#endif
  round_rows_by<Bfloat16Numbers>(x, to);
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(round_rows_to_bfloat16);

void round_to_bfloat16(ConstMatrix x, Bfloat16* to) { HWY_DYNAMIC_DISPATCH(round_rows_to_bfloat16)(x, to); }

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
