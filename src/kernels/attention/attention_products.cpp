#include "kernels/attention/attention_products.h"

#include <algorithm>
#include <hwy/cache_control.h>
#include <type_traits>

#include "kernels/gemm/gemm.h"
#include "kernels/gemm/scratch_buffer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention/attention_products.cpp"
#include <hwy/foreach_target.h>

#include "kernels/bfloat16/bfloat16_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

constexpr Index kFewQueries = 8;  // as in decoding; more queries go to gemm()

// The GEMM adds energies in another order: lane by lane here, in the order of k there.
HWY_INLINE bool energies_go_by_query(const AttentionLayout& layout, Index T) {
  return T < kFewQueries || layout.kernel == AttentionKernel::kBatchInvariant;
}

// Contexts are sums in the order of keys, in a GEMM too unless it cuts them.
HWY_INLINE bool contexts_go_by_query(const AttentionLayout& layout, Index T, Index S) {
  return T < kFewQueries || (layout.kernel == AttentionKernel::kBatchInvariant && S > kGemmBlockK);
}

// Prefetches the next sentence's rows while this sentence's rows are read.
struct PrefetchNext {
  Index distance;  // from this sentence's rows to the next one's, in values

  // The cache lines of two vectors.
  HWY_INLINE void prefetch(const Real* here) const {
    hwy::Prefetch(here + distance);
    hwy::Prefetch(here + distance + lanes());
  }
  HWY_INLINE void prefetch(const Bfloat16* here) const { hwy::Prefetch(here + distance); }
};

struct NoPrefetch {
  template <class Value>
  HWY_INLINE void prefetch(const Value*) const {}
};

// to[i] = scale times the sum of the lanes of v[i], in an order that does not depend on the other vectors
template <class T>
HWY_INLINE void scaled_sums_of_four(const V (&v)[4], T scale, T* to) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (std::is_same_v<T, float>) {
    const V v02 = hn::Add(hn::InterleaveLower(D(), v[0], v[2]), hn::InterleaveUpper(D(), v[0], v[2]));
    const V v13 = hn::Add(hn::InterleaveLower(D(), v[1], v[3]), hn::InterleaveUpper(D(), v[1], v[3]));
    const auto add = [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); };
    const V v0123 = hn::Add(hn::InterleaveLower(D(), v02, v13), hn::InterleaveUpper(D(), v02, v13));
    const auto sums = folded_to_four(v0123, add);
    const hn::DFromV<decltype(sums)> four;
    return hn::StoreU(hn::Mul(sums, hn::Set(four, scale)), four, to);
  }
#endif
  for (int i = 0; i < 4; ++i) to[i] = scale * hn::GetLane(hn::SumOfLanes(D(), v[i]));
}

struct HeadDots {
  Index K;
  Real scale;
};

// to[0..4) = scale times the dot products of one query with four keys of K values: kVectors vectors, an even number, or
// any K if kVectors is 0
template <int kVectors, class Value, class Prefetch>
HWY_INLINE void dots_with_four(const Real* q, const Value* const (&keys)[4], const HeadDots& head, Real* to,
                               const Prefetch& next_rows) {
  V sums[4] = {hn::Zero(D()), hn::Zero(D()), hn::Zero(D()), hn::Zero(D())};
  for (Index d = 0; d < kVectors * lanes(); d += 2 * lanes()) {
    const TwoVectors x = load_two(q + d);
    for (int i = 0; i < 4; ++i) {
      next_rows.prefetch(keys[i] + d);
      const TwoVectors key = load_two(keys[i] + d);
      sums[i] = hn::MulAdd(x.second, key.second, hn::MulAdd(x.first, key.first, sums[i]));
    }
  }
  if constexpr (kVectors == 0) {
    const Index K = head.K;
    Index d = 0;
    for (; d + lanes() <= K; d += lanes()) {
      const V x = load(q + d);
      for (int i = 0; i < 4; ++i) sums[i] = hn::MulAdd(x, load(keys[i] + d), sums[i]);
    }
    if (d < K) {
      const V x = load_some(q + d, K - d);
      for (int i = 0; i < 4; ++i) sums[i] = hn::MulAdd(x, load_some(keys[i] + d, K - d), sums[i]);
    }
  }
  scaled_sums_of_four(sums, head.scale, to);
}

// Four keys with all heads and queries before the next four keys, so that the rows are read once and in order. The last
// four overlap the four before; with fewer than four keys the last one is repeated.
template <int kVectors, class Keys>
HWY_INLINE void energies_by_query(const ConstMatrix& q, const Keys& k, const HeadDots& head, Real* energies,
                                  const PrefetchNext& next_rows) {
  using Value = std::remove_cvref_t<decltype(*k.row(0))>;
  const Index T = q.rows, S = k.rows, K = head.K;
  for (Index s = 0; s < S; s += 4) {
    const Index first = std::clamp<Index>(S - 4, 0, s);
    const Value* const rows[4] = {k.row(first), k.row(std::min(first + 1, S - 1)), k.row(std::min(first + 2, S - 1)),
                                  k.row(std::min(first + 3, S - 1))};
    Real* e = energies + first;  // head 0, query 0
    for (Index column = 0; column < q.cols; column += K) {
      const Value* const keys[4] = {rows[0] + column, rows[1] + column, rows[2] + column, rows[3] + column};
      for (Index t = 0; t < T; ++t, e += S) {
        Real few[4];
        Real* const to = S < 4 ? few : e;
        if (t == 0) {
          dots_with_four<kVectors>(q.row(t) + column, keys, head, to, next_rows);
        } else {
          dots_with_four<kVectors>(q.row(t) + column, keys, head, to, NoPrefetch());
        }
        if (S < 4) std::copy_n(few, S, e);
      }
    }
  }
}

// Iterates over groups of kVectors vectors of columns: next() points to the attention weights of the group's head. The
// weights of successive heads are `spacing` apart.
template <int kVectors>
class WeightsOfColumns {
 public:
  HWY_INLINE WeightsOfColumns(const Real* first, Index spacing, Index K)
      : at_(first), spacing_(spacing), K_(K), left_(K) {}

  HWY_INLINE const Real* next() {
    const Real* const now = at_;
    left_ -= kVectors * lanes();
    if (left_ == 0) at_ += spacing_, left_ = K_;
    return now;
  }

 private:
  const Real* at_;
  Index spacing_, K_, left_;
};

// c = Σ_s w[.][s] v_s for the columns from `begin` on, eight vectors at a time in groups of kVectors with the weights
// of their head; the remaining columns with half as many groups.
template <int kVectors, int kGroups = 8 / kVectors, class Values, class Prefetch>
HWY_INLINE void weighted_columns(WeightsOfColumns<kVectors>& weights, const Values& v, Index begin, Real* c,
                                 const Prefetch& next_rows) {
  constexpr int kAll = kVectors * kGroups;
  for (; begin + kAll * lanes() <= v.cols; begin += kAll * lanes()) {
    const Real* w[kGroups];
    for (const Real*& one : w) one = weights.next();
    V sums[kAll];
    for (V& sum : sums) sum = hn::Zero(D());
    for (Index s = 0; s < v.rows; ++s) {
      const auto* const row = v.row(s) + begin;
      if constexpr (kAll == 1) {
        sums[0] = hn::MulAdd(hn::Set(D(), w[0][s]), load(row), sums[0]);
      } else {
#pragma GCC unroll 4
        for (int j = 0; j < kAll; j += 2) {
          next_rows.prefetch(row + j * lanes());
          const TwoVectors two = load_two(row + j * lanes());
          sums[j] = hn::MulAdd(hn::Set(D(), w[j / kVectors][s]), two.first, sums[j]);
          sums[j + 1] = hn::MulAdd(hn::Set(D(), w[(j + 1) / kVectors][s]), two.second, sums[j + 1]);
        }
      }
    }
    for (int j = 0; j < kAll; ++j) store(sums[j], c + begin + j * lanes());
  }
  if constexpr (kGroups > 1) weighted_columns<kVectors, kGroups / 2>(weights, v, begin, c, next_rows);
}

// All heads of a query at once; the columns of a head are a multiple of kVectors vectors. Rows are read in order, and
// the sums of many columns are independent.
template <int kVectors, class Values>
HWY_INLINE void contexts_by_query(const Real* w, const Values& v, Index heads, const Matrix& c,
                                  const PrefetchNext& next_rows) {
  for (Index t = 0; t < c.rows; ++t) {
    WeightsOfColumns<kVectors> weights(w + t * v.rows, c.rows * v.rows, v.cols / heads);
    if (t == 0) {
      weighted_columns<kVectors>(weights, v, 0, c.row(t), next_rows);
    } else {
      weighted_columns<kVectors>(weights, v, 0, c.row(t), NoPrefetch());
    }
  }
}

// One head whose columns are not whole vectors; two vectors at a time.
void contexts_of_head(const Real* w, const ConstMatrix& v, const Matrix& c) {
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

template <class Rows>
HWY_INLINE Rows rows_of(const Rows& x, Index begin, Index rows) {
  return {x.row(begin), rows, x.cols, x.stride};
}

HWY_INLINE ConstMatrix head_of(const ConstMatrix& x, Index heads, Index head) {
  const Index K = x.cols / heads;
  return {x.row(0) + head * K, x.rows, K, x.stride};
}

HWY_INLINE ConstMatrix as_reals(const ConstMatrix& x) { return x; }

ConstMatrix as_reals(const Bfloat16Matrix& x) {
  thread_local ScratchBuffer memory;
  const Matrix wide{memory.reserve(x.rows * x.cols), x.rows, x.cols, x.cols};
  widen(x, wide);
  return wide;
}

// One sentence. Query by query, with heads of 2 or 4 vectors, the keys are read as stored; otherwise they are widened
// to Reals.
template <class Keys>
HWY_INLINE void energies_of_sentence(const AttentionLayout& layout, const ConstMatrix& q, const Keys& k, Real scale,
                                     Real* e, const PrefetchNext& next_rows) {
  const Index T = q.rows, S = k.rows, N = layout.heads, K = q.cols / N;
  const bool by_query = energies_go_by_query(layout, T);
  if (by_query && K == 2 * lanes()) return energies_by_query<2>(q, k, {K, scale}, e, next_rows);
  if (by_query && K == 4 * lanes()) return energies_by_query<4>(q, k, {K, scale}, e, next_rows);
  const ConstMatrix reals = as_reals(k);
  if (by_query) return energies_by_query<0>(q, reals, {K, scale}, e, next_rows);
  for (Index head = 0; head < N; ++head, e += T * S) {
    gemm(head_of(q, N, head), head_of(reals, N, head).t(), {e, T, S, S}, {.alpha = scale});
  }
}

template <class Keys>
HWY_INLINE void energies_with(const AttentionLayout& layout, const ConstMatrix& queries, const Keys& keys, Real scale,
                              Real* energies) {
  for_each_sentence_and_next(layout, [&](const LayoutSentence& of, const LayoutSentence& next) HWY_ATTR {
    energies_of_sentence(layout, rows_of(queries, of.query_begin, of.T),  // [T,N*K]
                         rows_of(keys, of.key_begin, of.S), scale,        // [S,N*K]
                         energies + of.offset, PrefetchNext{(next.key_begin - of.key_begin) * keys.stride});
  });
}

template <class Values>
HWY_INLINE void contexts_of_sentence(const AttentionLayout& layout, const Real* w, const Values& v, const Matrix& c,
                                     const PrefetchNext& next_rows) {
  const Index T = c.rows, S = v.rows, N = layout.heads, K = v.cols / N;
  const bool by_query = contexts_go_by_query(layout, T, S);
  if (by_query && K % (4 * lanes()) == 0) return contexts_by_query<4>(w, v, N, c, next_rows);
  if (by_query && K % (2 * lanes()) == 0) return contexts_by_query<2>(w, v, N, c, next_rows);
  const ConstMatrix reals = as_reals(v);
  if (by_query && K % lanes() == 0) return contexts_by_query<1>(w, reals, N, c, next_rows);
  for (Index head = 0; head < N; ++head, w += T * S) {
    const Matrix ch = c.columns(head * K, K);  // [T,K]
    if (by_query) {
      contexts_of_head(w, head_of(reals, N, head), ch);
    } else {
      gemm({w, T, S, S}, head_of(reals, N, head), ch);
    }
  }
}

template <class Values>
HWY_INLINE void contexts_with(const AttentionLayout& layout, const Real* weights, const Values& values,
                              const Matrix& contexts) {
  for_each_sentence_and_next(layout, [&](const LayoutSentence& of, const LayoutSentence& next) HWY_ATTR {
    contexts_of_sentence(layout, weights + of.offset, rows_of(values, of.key_begin, of.S),  // [S,N*K]
                         Matrix{contexts.row(of.query_begin), of.T, contexts.cols, contexts.stride},
                         PrefetchNext{(next.key_begin - of.key_begin) * values.stride});
  });
}

void energies_of_pairs(const AttentionLayout& layout, const ConstMatrix& queries, const ConstMatrix& keys, Real scale,
                       Real* energies) {
  energies_with(layout, queries, keys, scale, energies);
}

void energies_of_bfloat16(const AttentionLayout& layout, const ConstMatrix& queries, const Bfloat16Matrix& keys,
                          Real scale, Real* energies) {
  energies_with(layout, queries, keys, scale, energies);
}

void contexts_of_pairs(const AttentionLayout& layout, const Real* weights, const ConstMatrix& values,
                       const Matrix& contexts) {
  contexts_with(layout, weights, values, contexts);
}

void contexts_of_bfloat16(const AttentionLayout& layout, const Real* weights, const Bfloat16Matrix& values,
                          const Matrix& contexts) {
  contexts_with(layout, weights, values, contexts);
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(energies_of_pairs);
HWY_EXPORT(energies_of_bfloat16);
HWY_EXPORT(contexts_of_pairs);
HWY_EXPORT(contexts_of_bfloat16);

void attention_energies(const AttentionLayout& layout, ConstMatrix queries, ConstMatrix keys, Real scale,
                        std::span<Real> energies) {
  HWY_DYNAMIC_DISPATCH(energies_of_pairs)(layout, queries, keys, scale, energies.data());
}

void attention_contexts(const AttentionLayout& layout, std::span<const Real> weights, ConstMatrix values,
                        Matrix contexts) {
  HWY_DYNAMIC_DISPATCH(contexts_of_pairs)(layout, weights.data(), values, contexts);
}

void attention_energies(const AttentionLayout& layout, ConstMatrix queries, const Bfloat16Matrix& keys, Real scale,
                        std::span<Real> energies) {
  HWY_DYNAMIC_DISPATCH(energies_of_bfloat16)(layout, queries, keys, scale, energies.data());
}

void attention_contexts(const AttentionLayout& layout, std::span<const Real> weights, const Bfloat16Matrix& values,
                        Matrix contexts) {
  HWY_DYNAMIC_DISPATCH(contexts_of_bfloat16)(layout, weights.data(), values, contexts);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
