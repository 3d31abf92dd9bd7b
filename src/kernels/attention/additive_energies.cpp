#include "kernels/attention/additive_energies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention/additive_energies.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

void additive_forward(const AttentionLayout& layout, const AdditiveInputs& in, Real* energies) {
  const Index A = in.queries.cols / layout.heads;
  for_each_block(layout, [&](const LayoutBlock& block) {
    const Index column = block.head * A;
    const Real* v = in.v.data() + column;
    Real* e = energies + block.offset;
    for (Index t = 0; t < block.T; ++t) {
      const Real* q = in.queries.row(block.query_begin + t) + column;
      for (Index s = 0; s < block.S; ++s) {
        const Real* k = in.keys.row(block.key_begin + s) + column;
        *e++ = sum_of(
            A, [](V w, V a, V b) { return hn::Mul(w, tanh_of(hn::Add(a, b))); }, v, q, k);
      }
    }
  });
}

// One query and one key. With y = tanh(q + k):   dq, dk += de v (1 - y^2),   dv += de y
HWY_INLINE void pair_backward(Index A, Real de, const Real* q, const Real* k, const Real* v, Real* dq, Real* dk,
                              Real* dv) {
  each_vector(A, [&](Index a, auto part) {
    const V y = tanh_of(hn::Add(part.load(q + a), part.load(k + a)));
    const V d = all(de);
    const V dsum = hn::Mul(hn::Mul(d, part.load(v + a)), hn::NegMulAdd(y, y, all(1)));
    if (dq != nullptr) part.add(dsum, dq + a);
    if (dk != nullptr) part.add(dsum, dk + a);
    if (dv != nullptr) part.add(hn::Mul(d, y), dv + a);
  });
}

HWY_INLINE Real* columns_of(Matrix m, Index row, Index column) {
  return m.data == nullptr ? nullptr : m.row(row) + column;
}

void additive_backward(const AttentionLayout& layout, const AdditiveInputs& in, const Real* denergies,
                       const AdditiveGradients& into) {
  const Index A = in.queries.cols / layout.heads;
  for_each_block(layout, [&](const LayoutBlock& block) {
    const Index column = block.head * A;
    const Real* de = denergies + block.offset;
    for (Index t = block.query_begin; t < block.query_begin + block.T; ++t) {
      for (Index s = block.key_begin; s < block.key_begin + block.S; ++s) {
        pair_backward(A, *de++, in.queries.row(t) + column, in.keys.row(s) + column, in.v.data() + column,
                      columns_of(into.queries, t, column), columns_of(into.keys, s, column),
                      columns_of(into.v, 0, column));
      }
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(additive_forward);
HWY_EXPORT(additive_backward);

void additive_energies(const AttentionLayout& layout, const AdditiveInputs& in, std::span<Real> energies) {
  HWY_DYNAMIC_DISPATCH(additive_forward)(layout, in, energies.data());
}

void additive_energies_backward(const AttentionLayout& layout, const AdditiveInputs& in,
                                std::span<const Real> denergies, const AdditiveGradients& into) {
  HWY_DYNAMIC_DISPATCH(additive_backward)(layout, in, denergies.data(), into);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
