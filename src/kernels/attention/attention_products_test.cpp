#include "kernels/attention/attention_products.h"

#include <gtest/gtest.h>

#include "kernels/gemm/gemm.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

// Few and many queries, multiples of four keys and others, head widths around a vector's: f(layout, K).
template <class F>
void for_each_shape(const F& f) {
  for (const Index heads : {1, 3}) {
    for (const Index K : {1, 5, 16, 32, 33, 40, 64}) {
      f(AttentionLayout{Segments::from_lengths({2, 1, 0, 9, 3}), Segments::from_lengths({3, 8, 2, 5, 0}), heads}, K);
    }
  }
}

// Random operands, and e and c by plain loops.
struct PlainAttention {
  PaddedRows q, k, v;
  std::vector<Real> weights;

  PlainAttention(Rng& rng, const AttentionLayout& layout, Index K)
      : q(rng, layout.queries.rows(), layout.heads * K),
        k(rng, layout.keys.rows(), layout.heads * K),
        v(rng, layout.keys.rows(), layout.heads * K),
        weights(random_values(rng, layout.count())) {}

  void expect(const AttentionLayout& layout, Index K, const std::vector<Real>& e, const PaddedRows& c) const {
    for_each_block(layout, [&](const LayoutBlock& block) {
      for (Index t = 0; t < block.T; ++t) {
        const Index row = block.query_begin + t, first = block.offset + t * block.S;
        for (Index s = 0; s < block.S; ++s) {
          double dot = 0;
          for (Index d = block.head * K; d < (block.head + 1) * K; ++d)
            dot += q.at(row, d) * k.at(block.key_begin + s, d);
          EXPECT_NEAR(e[static_cast<std::size_t>(first + s)], 0.5 * dot, 200 * kTolerance);
        }
        for (Index d = block.head * K; d < (block.head + 1) * K; ++d) {
          double sum = 0;
          for (Index s = 0; s < block.S; ++s)
            sum += weights[static_cast<std::size_t>(first + s)] * v.at(block.key_begin + s, d);
          EXPECT_NEAR(c.at(row, d), sum, 200 * kTolerance);
        }
      }
    });
  }
};

TEST(AttentionProducts, EqualPlainLoops) {
  Rng rng(1);
  for_each_shape([&](const AttentionLayout& layout, Index K) {
    PlainAttention plain(rng, layout, K);
    on_every_target([&] {
      std::vector<Real> e(plain.weights.size());
      PaddedRows c(rng, layout.queries.rows(), layout.heads * K);
      attention_energies(layout, plain.q.matrix(), plain.k.matrix(), 0.5, e);
      attention_contexts(layout, plain.weights, plain.v.matrix(), c.matrix());
      plain.expect(layout, K, e, c);
    });
  });
}

// Each query of a sentence alone; as many keys as a GEMM adds in order, and more.
TEST(AttentionProducts, GiveAQueryTheSameBytesWhateverItsNeighboursIfBatchInvariant) {
  Rng rng(3);
  const Index heads = 2, T = 13;
  for (const Index S : {Index{70}, kGemmBlockK, kGemmBlockK + 1}) {
    for (const Index K : {5, 16, 32, 64}) {
      const AttentionLayout layout{Segments::one(T), Segments::one(S), heads, AttentionKernel::kBatchInvariant};
      const AttentionLayout single{Segments::one(1), Segments::one(S), heads};
      PlainAttention plain(rng, layout, K);
      on_every_target([&] {
        std::vector<Real> e(plain.weights.size());
        PaddedRows c(rng, T, heads * K);
        attention_energies(layout, plain.q.matrix(), plain.k.matrix(), 0.5, e);
        attention_contexts(layout, plain.weights, plain.v.matrix(), c.matrix());
        const auto of_query = [&](const std::vector<Real>& values, Index t) {  // of all heads
          std::vector<Real> found;
          for (Index head = 0; head < heads; ++head) {
            const auto first = values.begin() + (head * T + t) * S;
            found.insert(found.end(), first, first + S);
          }
          return found;
        };
        for (Index t = 0; t < T; ++t) {
          std::vector<Real> energies(static_cast<std::size_t>(single.count()));
          PaddedRows context(rng, 1, heads * K);
          const Matrix query{plain.q.matrix().row(t), 1, heads * K, heads * K};
          attention_energies(single, query, plain.k.matrix(), 0.5, energies);
          attention_contexts(single, of_query(plain.weights, t), plain.v.matrix(), context.matrix());
          EXPECT_EQ(energies, of_query(e, t));
          for (Index d = 0; d < heads * K; ++d) EXPECT_EQ(context.at(0, d), c.at(t, d));
        }
      });
    }
  }
}

struct Bfloat16Rows {
  std::vector<Bfloat16> values;
  Index rows, cols;

  explicit Bfloat16Rows(const ConstMatrix& x)
      : values(static_cast<std::size_t>(x.rows * x.cols)), rows(x.rows), cols(x.cols) {
    round_to_bfloat16(x, values.data());
  }
  Bfloat16Matrix matrix() const { return {values.data(), rows, cols, cols}; }
};

TEST(AttentionProducts, EqualPlainLoopsOnRoundedValuesForBfloat16) {
  Rng rng(2);
  for_each_shape([&](const AttentionLayout& layout, Index K) {
    PlainAttention plain(rng, layout, K);
    for (Real& x : plain.k.values) x = rounded_to_bfloat16(x);
    for (Real& x : plain.v.values) x = rounded_to_bfloat16(x);
    on_every_target([&] {
      const Bfloat16Rows k(plain.k.matrix()), v(plain.v.matrix());
      std::vector<Real> e(plain.weights.size());
      PaddedRows c(rng, layout.queries.rows(), layout.heads * K);
      attention_energies(layout, plain.q.matrix(), k.matrix(), 0.5, e);
      attention_contexts(layout, plain.weights, v.matrix(), c.matrix());
      plain.expect(layout, K, e, c);
    });
  });
}

}  // namespace
}  // namespace dhyan::kernels
