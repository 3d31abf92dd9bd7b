#include "kernels/pair_products.h"

#include "kernels/gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pair_products.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

constexpr Index kFewQueries = 8;  // as a search has of a sentence; more are a product of matrices

#if HWY_TARGET != HWY_SCALAR
// Of the four lanes of each 16 bytes, over all of them.
template <class Vector>
HWY_INLINE void sum_blocks(Vector v, float* to) {
  const hn::DFromV<Vector> d;
  if constexpr (hn::MaxLanes(d) > 4) {
    const hn::Half<decltype(d)> half;
    sum_blocks(hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), to);
  } else {
    hn::StoreU(v, d, to);
  }
}
#endif

// to[0..4) = the sums of the lanes of each
template <class T>
HWY_INLINE void sums_of_four(V v0, V v1, V v2, V v3, T* to) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (std::is_same_v<T, float>) {
    const V v02 = hn::Add(hn::InterleaveLower(D(), v0, v2), hn::InterleaveUpper(D(), v0, v2));
    const V v13 = hn::Add(hn::InterleaveLower(D(), v1, v3), hn::InterleaveUpper(D(), v1, v3));
    return sum_blocks(hn::Add(hn::InterleaveLower(D(), v02, v13), hn::InterleaveUpper(D(), v02, v13)), to);
  }
#endif
  const auto sum = [](V v) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(D(), v)); };
  to[0] = sum(v0), to[1] = sum(v1), to[2] = sum(v2), to[3] = sum(v3);
}

// dots[0..4) of one query with four keys; a key that is not there is another one again.
HWY_INLINE void dots_with_four(const Real* q, const Real* const (&keys)[4], Index K, Real* dots) {
  V sums[4] = {hn::Zero(D()), hn::Zero(D()), hn::Zero(D()), hn::Zero(D())};
  Index d = 0;
  for (; d + lanes() <= K; d += lanes()) {
    const V x = load(q + d);
    for (int i = 0; i < 4; ++i) sums[i] = hn::MulAdd(x, load(keys[i] + d), sums[i]);
  }
  if (d < K) {
    const V x = load_some(q + d, K - d);
    for (int i = 0; i < 4; ++i) sums[i] = hn::MulAdd(x, load_some(keys[i] + d, K - d), sums[i]);
  }
  sums_of_four(sums[0], sums[1], sums[2], sums[3], dots);
}

void energies_of_few(const ConstMatrix& q, const ConstMatrix& k, Real scale, Real* e) {
  for (Index t = 0; t < q.rows; ++t, e += k.rows) {
    for (Index s = 0; s < k.rows; s += 4) {
      const Index last = k.rows - 1;
      const Real* const keys[4] = {k.row(s), k.row(std::min(s + 1, last)), k.row(std::min(s + 2, last)),
                                   k.row(std::min(s + 3, last))};
      Real dots[4];
      dots_with_four(q.row(t), keys, q.cols, dots);
      for (Index i = 0; i < std::min<Index>(4, k.rows - s); ++i) e[s + i] = scale * dots[i];
    }
  }
}

// Two vectors of columns at a time.
void contexts_of_few(const Real* w, const ConstMatrix& v, const Matrix& c) {
  for (Index t = 0; t < c.rows; ++t, w += v.rows) {
    for (Index begin = 0; begin < c.cols; begin += 2 * lanes()) {
      const Index n = std::min(2 * lanes(), c.cols - begin);
      V first = hn::Zero(D()), second = hn::Zero(D());
      for (Index s = 0; s < v.rows; ++s) {
        V v0 = hn::Zero(D()), v1 = hn::Zero(D());
        load_pair(v.row(s) + begin, n, v0, v1);
        const V weight = hn::Set(D(), w[s]);
        first = hn::MulAdd(weight, v0, first), second = hn::MulAdd(weight, v1, second);
      }
      store_pair(first, second, c.row(t) + begin, n);
    }
  }
}

// One head's columns of some rows.
HWY_INLINE ConstMatrix head_of(const ConstMatrix& x, Index heads, Index head, Index begin, Index rows) {
  const Index K = x.cols / heads;
  return {x.row(begin) + head * K, rows, K, x.stride};
}

void energies_of_pairs(const Pairing& pairing, const ConstMatrix& queries, const ConstMatrix& keys, Real scale,
                       Real* energies) {
  for_each_block(pairing, [&](const PairingBlock& block) HWY_ATTR {
    const ConstMatrix q = head_of(queries, pairing.heads, block.head, block.query_begin, block.T);  // [T,K]
    const ConstMatrix k = head_of(keys, pairing.heads, block.head, block.key_begin, block.S);       // [S,K]
    Real* e = energies + block.offset;
    if (block.T < kFewQueries) return energies_of_few(q, k, scale, e);
    gemm(q, k.t(), {e, block.T, block.S, block.S}, {.product = scale});
  });
}

void contexts_of_pairs(const Pairing& pairing, const Real* weights, const ConstMatrix& values, const Matrix& contexts) {
  const Index K = values.cols / pairing.heads;
  for_each_block(pairing, [&](const PairingBlock& block) HWY_ATTR {
    const ConstMatrix v = head_of(values, pairing.heads, block.head, block.key_begin, block.S);     // [S,K]
    const Matrix c{contexts.row(block.query_begin) + block.head * K, block.T, K, contexts.stride};  // [T,K]
    const Real* w = weights + block.offset;
    if (block.T < kFewQueries) return contexts_of_few(w, v, c);
    gemm({w, block.T, block.S, block.S}, v, c);
  });
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(energies_of_pairs);
HWY_EXPORT(contexts_of_pairs);

void pair_energies(const Pairing& pairing, ConstMatrix queries, ConstMatrix keys, Real scale,
                   std::span<Real> energies) {
  HWY_DYNAMIC_DISPATCH(energies_of_pairs)(pairing, queries, keys, scale, energies.data());
}

void pair_contexts(const Pairing& pairing, std::span<const Real> weights, ConstMatrix values, Matrix contexts) {
  HWY_DYNAMIC_DISPATCH(contexts_of_pairs)(pairing, weights.data(), values, contexts);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
