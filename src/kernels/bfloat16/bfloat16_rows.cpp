#include "kernels/bfloat16/bfloat16_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bfloat16/bfloat16_rows.cpp"
#include <hwy/foreach_target.h>

#include "kernels/bfloat16/bfloat16_rows-inl.h"
#include "kernels/gemm/gemm_operands-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

template <class Operands>
void round_row_by(const Real* from, Index n, Bfloat16* to) {
#ifndef DHYAN_REAL_DOUBLE
  if (is_interleaved(n)) {
    for (Index i = 0; i < n; i += 2 * lanes()) {
      const TwoVectors two = load_two(from + i);
      hn::StoreU(Operands::pack_rows(two.first, two.second), hn::RebindToUnsigned<D>(),
                 reinterpret_cast<std::uint32_t*>(to + i));
    }
    return;
  }
#endif
  for (Index i = 0; i < n; ++i) to[i].bits = static_cast<std::uint16_t>(bfloat16_bits(static_cast<float>(from[i])));
}

template <class Operands>
void round_rows_by(const ConstMatrix& x, Bfloat16* to) {
  for (Index r = 0; r < x.rows; ++r, to += x.cols) round_row_by<Operands>(x.row(r), x.cols, to);
}

void round_rows_to_bfloat16(const ConstMatrix& x, Bfloat16* to) {
#if HWY_TARGET == HWY_AVX3 && !defined(DHYAN_REAL_DOUBLE)
  if (has_bfloat16()) return round_rows_by<Bfloat16DotOperands>(x, to);
#endif
  round_rows_by<Bfloat16Operands>(x, to);
}

void widen_row(const Bfloat16* from, Index n, Real* to) {
#ifndef DHYAN_REAL_DOUBLE
  if (is_interleaved(n)) {
    for (Index i = 0; i < n; i += 2 * lanes()) {
      const TwoVectors two = load_two(from + i);
      store(two.first, to + i);
      store(two.second, to + i + lanes());
    }
    return;
  }
#endif
  for (Index i = 0; i < n; ++i) to[i] = to_real(from[i]);
}

void widen_rows(const Bfloat16Matrix& x, const Matrix& y) {
  for (Index r = 0; r < x.rows; ++r) widen_row(x.row(r), x.cols, y.row(r));
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(round_rows_to_bfloat16);
HWY_EXPORT(widen_rows);

void round_to_bfloat16(ConstMatrix x, Bfloat16* to) { HWY_DYNAMIC_DISPATCH(round_rows_to_bfloat16)(x, to); }
void widen(const Bfloat16Matrix& x, Matrix y) { HWY_DYNAMIC_DISPATCH(widen_rows)(x, y); }

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
