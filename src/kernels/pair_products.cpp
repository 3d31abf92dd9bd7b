#include "kernels/pair_products.h"

#include <algorithm>
#include <hwy/cache_control.h>
#include <type_traits>

#include "kernels/gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pair_products.cpp"
#include <hwy/foreach_target.h>

#include "kernels/bfloat16_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

constexpr Index kFewQueries = 8;  // as a search has of a sentence; more are a product of matrices

// A vector, or of fewer than its lanes as many as are left.
template <class Number>
HWY_INLINE V load_up_to(const Number* from, Index left) {
  if (left >= lanes()) return load(from);
  return left > 0 ? load_some(from, left) : hn::Zero(D());
}

// Rows of the next sentence, asked for while those of this one are read: memory gives more to who asks early.
struct Next {
  Index distance;  // from rows here

  template <class Number>
  HWY_INLINE void ask_for(const Number* here) const {
    hwy::Prefetch(here + distance);
  }
};

struct NoNext {
  template <class Number>
  HWY_INLINE void ask_for(const Number*) const {}
};

#if HWY_TARGET != HWY_SCALAR
// Of the four lanes of each 16 bytes, over all of them.
template <class Vector>
HWY_INLINE auto sum_of_blocks(Vector v) {
  const hn::DFromV<Vector> d;
  if constexpr (hn::MaxLanes(d) > 4) {
    const hn::Half<decltype(d)> half;
    return sum_of_blocks(hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else {
    return v;
  }
}
#endif

// to[0..4) = scale times the sums of the lanes of each, whichever stand beside it in the same order
template <class T>
HWY_INLINE void scaled_sums_of_four(const V (&v)[4], T scale, T* to) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (std::is_same_v<T, float>) {
    const V v02 = hn::Add(hn::InterleaveLower(D(), v[0], v[2]), hn::InterleaveUpper(D(), v[0], v[2]));
    const V v13 = hn::Add(hn::InterleaveLower(D(), v[1], v[3]), hn::InterleaveUpper(D(), v[1], v[3]));
    const auto sums = sum_of_blocks(hn::Add(hn::InterleaveLower(D(), v02, v13), hn::InterleaveUpper(D(), v02, v13)));
    const hn::DFromV<decltype(sums)> four;
    return hn::StoreU(hn::Mul(sums, hn::Set(four, scale)), four, to);
  }
#endif
  for (int i = 0; i < 4; ++i) to[i] = scale * hn::GetLane(hn::SumOfLanes(D(), v[i]));
}

template <class Rows>
using NumberOf = std::remove_cvref_t<decltype(*Rows().row(0))>;

struct HeadProducts {
  Index K;
  Real scale;
};

// to[0..4) = scale times the products of one query with four keys, each of K numbers: kVectors vectors, or, if that is
// 0, any number
template <int kVectors, class Number, class After>
HWY_INLINE void dots_with_four(const Real* q, const Number* const (&keys)[4], const HeadProducts& head, Real* to,
                               const After& after) {
  const Index K = head.K;
  V sums[4] = {hn::Zero(D()), hn::Zero(D()), hn::Zero(D()), hn::Zero(D())};
  const Index whole = kVectors > 0 ? kVectors * lanes() : K;
  Index d = 0;
  for (; d + lanes() <= whole; d += lanes()) {
    const V x = load(q + d);
    for (int i = 0; i < 4; ++i) {
      after.ask_for(keys[i] + d);
      sums[i] = hn::MulAdd(x, load(keys[i] + d), sums[i]);
    }
  }
  if (kVectors == 0 && d < K) {
    const V x = load_some(q + d, K - d);
    for (int i = 0; i < 4; ++i) sums[i] = hn::MulAdd(x, load_some(keys[i] + d, K - d), sums[i]);
  }
  scaled_sums_of_four(sums, head.scale, to);
}

// Four keys by all heads and queries before the next four: rows are read once, in the order they lie in, from wherever
// they are. The last four overlap those before; where there are fewer, the last key stands for what is missing.
template <int kVectors, class Keys>
HWY_INLINE void energies_of_few(const ConstMatrix& q, const Keys& k, const HeadProducts& head, Real* energies,
                                const Next& next) {
  const Index T = q.rows, S = k.rows, K = head.K;
  for (Index s = 0; s < S; s += 4) {
    const Index first = std::clamp<Index>(S - 4, 0, s);
    const auto row = [&](Index i) HWY_ATTR { return k.row(std::min(first + i, S - 1)); };
    const NumberOf<Keys>* const rows[4] = {row(0), row(1), row(2), row(3)};
    Real* e = energies + first;  // of head 0 and query 0
    for (Index column = 0; column < q.cols; column += K) {
      const NumberOf<Keys>* const keys[4] = {rows[0] + column, rows[1] + column, rows[2] + column, rows[3] + column};
      for (Index t = 0; t < T; ++t, e += S) {
        Real few[4];
        Real* const to = S < 4 ? few : e;
        if (t == 0) {
          dots_with_four<kVectors>(q.row(t) + column, keys, head, to, next);
        } else {
          dots_with_four<kVectors>(q.row(t) + column, keys, head, to, NoNext());
        }
        if (S < 4) std::copy_n(few, S, e);
      }
    }
  }
}

// Where the weights of each group of so many vectors of columns lie, one after the other, if those of a head lie
// `spacing` behind those of the one before.
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

// c = Σ_s w[.][s] v_s of the columns from `begin` on: as many groups of kVectors vectors as fit into eight, each group
// with weights of its own, as long as there are so many; then half as many.
template <int kVectors, int kGroups = 8 / kVectors, class Values, class After>
HWY_INLINE void weighted_columns(WeightsOfColumns<kVectors>& weights, const Values& v, Index begin, Real* c,
                                 const After& after) {
  constexpr int kAll = kVectors * kGroups;
  for (; begin + kAll * lanes() <= v.cols; begin += kAll * lanes()) {
    const Real* w[kGroups];
    for (const Real*& one : w) one = weights.next();
    V sums[kAll];
    for (V& sum : sums) sum = hn::Zero(D());
    for (Index s = 0; s < v.rows; ++s) {
#pragma GCC unroll 8
      for (int j = 0; j < kAll; ++j) {
        after.ask_for(v.row(s) + begin + j * lanes());
        sums[j] = hn::MulAdd(hn::Set(D(), w[j / kVectors][s]), load(v.row(s) + begin + j * lanes()), sums[j]);
      }
    }
    for (int j = 0; j < kAll; ++j) store(sums[j], c + begin + j * lanes());
  }
  if constexpr (kGroups > 1) weighted_columns<kVectors, kGroups / 2>(weights, v, begin, c, after);
}

// All heads of a query at once, whose columns are kVectors vectors or several times as many: rows are read in the order
// they lie in, and sums of many columns do not wait for each other.
template <int kVectors, class Values>
HWY_INLINE void contexts_of_few(const Real* w, const Values& v, Index heads, const Matrix& c, const Next& next) {
  for (Index t = 0; t < c.rows; ++t) {
    WeightsOfColumns<kVectors> weights(w + t * v.rows, c.rows * v.rows, v.cols / heads);
    if (t == 0) {
      weighted_columns<kVectors>(weights, v, 0, c.row(t), next);
    } else {
      weighted_columns<kVectors>(weights, v, 0, c.row(t), NoNext());
    }
  }
}

// One head, whose columns are no whole vectors; two vectors at a time.
template <class Values>
void contexts_of_head(const Real* w, const Values& v, const Matrix& c) {
  for (Index t = 0; t < c.rows; ++t, w += v.rows) {
    for (Index begin = 0; begin < c.cols; begin += 2 * lanes()) {
      const Index n = std::min(2 * lanes(), c.cols - begin);
      V first = hn::Zero(D()), second = hn::Zero(D());
      for (Index s = 0; s < v.rows; ++s) {
        const auto* from = v.row(s) + begin;
        const V weight = hn::Set(D(), w[s]);
        first = hn::MulAdd(weight, load_up_to(from, n), first);
        second = hn::MulAdd(weight, load_up_to(from + lanes(), n - lanes()), second);
      }
      store_pair(first, second, c.row(t) + begin, n);
    }
  }
}

template <class Rows>
HWY_INLINE Rows rows_of(const Rows& x, Index begin, Index rows) {
  return {x.row(begin), rows, x.cols, x.stride};
}

template <class Rows>
HWY_INLINE Rows head_of(const Rows& x, Index heads, Index head) {
  const Index K = x.cols / heads;
  return {x.row(0) + head * K, x.rows, K, x.stride};
}

// Whether queries are multiplied one by one, as all are with rows that gemm() does not read.
template <class Rows>
HWY_INLINE bool one_by_one(Index queries) {
  return queries < kFewQueries || !std::is_same_v<Rows, ConstMatrix>;
}

template <class Keys>
HWY_INLINE void energies_with(const Pairing& pairing, const ConstMatrix& queries, const Keys& keys, Real scale,
                              Real* energies) {
  const Index N = pairing.heads, K = queries.cols / N;
  for_each_sentence_and_next(pairing, [&](const PairingSentence& of, const PairingSentence& after) HWY_ATTR {
    const ConstMatrix q = rows_of(queries, of.query_begin, of.T);  // [T,N*K]
    const Keys k = rows_of(keys, of.key_begin, of.S);              // [S,N*K]
    const Next next{(after.key_begin - of.key_begin) * keys.stride};
    Real* e = energies + of.offset;
    if (one_by_one<Keys>(of.T)) {
      if (K == 2 * lanes()) return energies_of_few<2>(q, k, {K, scale}, e, next);
      if (K == 4 * lanes()) return energies_of_few<4>(q, k, {K, scale}, e, next);
      return energies_of_few<0>(q, k, {K, scale}, e, next);
    }
    if constexpr (std::is_same_v<Keys, ConstMatrix>) {
      for (Index head = 0; head < N; ++head, e += of.T * of.S) {
        gemm(head_of(q, N, head), head_of(k, N, head).t(), {e, of.T, of.S, of.S}, {.product = scale});
      }
    }
  });
}

template <class Values>
HWY_INLINE void contexts_with(const Pairing& pairing, const Real* weights, const Values& values,
                              const Matrix& contexts) {
  const Index N = pairing.heads, K = values.cols / N;
  for_each_sentence_and_next(pairing, [&](const PairingSentence& of, const PairingSentence& after) HWY_ATTR {
    const Values v = rows_of(values, of.key_begin, of.S);                                // [S,N*K]
    const Matrix c{contexts.row(of.query_begin), of.T, contexts.cols, contexts.stride};  // [T,N*K]
    const Next next{(after.key_begin - of.key_begin) * values.stride};
    const Real* w = weights + of.offset;
    if (one_by_one<Values>(of.T) && K % lanes() == 0) {
      if (K % (4 * lanes()) == 0) return contexts_of_few<4>(w, v, N, c, next);
      if (K % (2 * lanes()) == 0) return contexts_of_few<2>(w, v, N, c, next);
      return contexts_of_few<1>(w, v, N, c, next);
    }
    for (Index head = 0; head < N; ++head, w += of.T * of.S) {
      const Matrix ch = c.columns(head * K, K);  // [T,K]
      if (one_by_one<Values>(of.T)) {
        contexts_of_head(w, head_of(v, N, head), ch);
      } else if constexpr (std::is_same_v<Values, ConstMatrix>) {
        gemm({w, of.T, of.S, of.S}, head_of(v, N, head), ch);
      }
    }
  });
}

void energies_of_pairs(const Pairing& pairing, const ConstMatrix& queries, const ConstMatrix& keys, Real scale,
                       Real* energies) {
  energies_with(pairing, queries, keys, scale, energies);
}

void energies_of_bfloat16(const Pairing& pairing, const ConstMatrix& queries, const Bfloat16Matrix& keys, Real scale,
                          Real* energies) {
  energies_with(pairing, queries, keys, scale, energies);
}

void contexts_of_pairs(const Pairing& pairing, const Real* weights, const ConstMatrix& values, const Matrix& contexts) {
  contexts_with(pairing, weights, values, contexts);
}

void contexts_of_bfloat16(const Pairing& pairing, const Real* weights, const Bfloat16Matrix& values,
                          const Matrix& contexts) {
  contexts_with(pairing, weights, values, contexts);
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

void pair_energies(const Pairing& pairing, ConstMatrix queries, ConstMatrix keys, Real scale,
                   std::span<Real> energies) {
  HWY_DYNAMIC_DISPATCH(energies_of_pairs)(pairing, queries, keys, scale, energies.data());
}

void pair_contexts(const Pairing& pairing, std::span<const Real> weights, ConstMatrix values, Matrix contexts) {
  HWY_DYNAMIC_DISPATCH(contexts_of_pairs)(pairing, weights.data(), values, contexts);
}

void pair_energies(const Pairing& pairing, ConstMatrix queries, const Bfloat16Matrix& keys, Real scale,
                   std::span<Real> energies) {
  HWY_DYNAMIC_DISPATCH(energies_of_bfloat16)(pairing, queries, keys, scale, energies.data());
}

void pair_contexts(const Pairing& pairing, std::span<const Real> weights, const Bfloat16Matrix& values,
                   Matrix contexts) {
  HWY_DYNAMIC_DISPATCH(contexts_of_bfloat16)(pairing, weights.data(), values, contexts);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
