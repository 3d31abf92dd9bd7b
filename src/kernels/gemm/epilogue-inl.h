// The epilogue of a GEMM with a packed weight. Compiled once per instruction set; see simd-inl.h.
#if defined(DHYAN_KERNELS_EPILOGUE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_EPILOGUE_INL_H
#undef DHYAN_KERNELS_EPILOGUE_INL_H
#else
#define DHYAN_KERNELS_EPILOGUE_INL_H
#endif

#include "core/matrix.h"
#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

// y = sum + bias + beta y
struct RowEpilogue {
  const Real* bias;  // or null
  Matrix y;
  Real beta = 0;

  HWY_INLINE void operator()(Index r, Index begin, Index n, V first, V second) const {
    Real* to = y.row(r) + begin;
    if (bias != nullptr) {
      V bias0 = hn::Zero(D()), bias1 = hn::Zero(D());
      load_pair(bias + begin, n, bias0, bias1);
      first = hn::Add(first, bias0), second = hn::Add(second, bias1);
    }
    if (beta != 0) {
      V old0 = hn::Zero(D()), old1 = hn::Zero(D());
      load_pair(to, n, old0, old1);
      first = hn::MulAdd(all(beta), old0, first), second = hn::MulAdd(all(beta), old1, second);
    }
    store_pair(first, second, to, n);
  }
};

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
