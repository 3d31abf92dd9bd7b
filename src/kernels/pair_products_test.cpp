#include "kernels/pair_products.h"

#include <gtest/gtest.h>

#include "kernels/on_every_target.h"
#include "kernels/test_numbers.h"

namespace dhyan::kernels {
namespace {

// Few queries and many, keys in fours and not, heads of widths around a vector's: f(pairing, K).
template <class F>
void for_each_shape(const F& f) {
  for (const Index heads : {1, 3}) {
    for (const Index K : {1, 5, 16, 32, 33, 40, 64}) {
      f(Pairing{Segments::from_lengths({2, 1, 0, 9, 3}), Segments::from_lengths({3, 8, 2, 5, 0}), heads}, K);
    }
  }
}

// What is multiplied, and e and c by plain loops.
struct PlainPairs {
  PaddedRows q, k, v;
  std::vector<Real> weights;

  PlainPairs(Rng& rng, const Pairing& pairing, Index K)
      : q(rng, pairing.queries.rows(), pairing.heads * K),
        k(rng, pairing.keys.rows(), pairing.heads * K),
        v(rng, pairing.keys.rows(), pairing.heads * K),
        weights(random_numbers(rng, pairing.count())) {}

  void expect(const Pairing& pairing, Index K, const std::vector<Real>& e, const PaddedRows& c) const {
    for_each_block(pairing, [&](const PairingBlock& block) {
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

TEST(PairProducts, EqualPlainLoops) {
  Rng rng(1);
  for_each_shape([&](const Pairing& pairing, Index K) {
    PlainPairs plain(rng, pairing, K);
    on_every_target([&] {
      std::vector<Real> e(plain.weights.size());
      PaddedRows c(rng, pairing.queries.rows(), pairing.heads * K);
      pair_energies(pairing, plain.q.matrix(), plain.k.matrix(), 0.5, e);
      pair_contexts(pairing, plain.weights, plain.v.matrix(), c.matrix());
      plain.expect(pairing, K, e, c);
    });
  });
}

struct RowsOf16Bits {
  std::vector<Bfloat16> numbers;
  Index rows, cols;

  explicit RowsOf16Bits(const ConstMatrix& x)
      : numbers(static_cast<std::size_t>(x.rows * x.cols)), rows(x.rows), cols(x.cols) {
    round_to_bfloat16(x, numbers.data());
  }
  Bfloat16Matrix matrix() const { return {numbers.data(), rows, cols, cols}; }
};

TEST(PairProducts, OfKeysAndValuesOf16BitsEqualPlainLoopsOfTheRoundedNumbers) {
  Rng rng(2);
  for_each_shape([&](const Pairing& pairing, Index K) {
    PlainPairs plain(rng, pairing, K);
    for (Real& x : plain.k.values) x = rounded_to_bfloat16(x);
    for (Real& x : plain.v.values) x = rounded_to_bfloat16(x);
    on_every_target([&] {
      const RowsOf16Bits k(plain.k.matrix()), v(plain.v.matrix());
      std::vector<Real> e(plain.weights.size());
      PaddedRows c(rng, pairing.queries.rows(), pairing.heads * K);
      pair_energies(pairing, plain.q.matrix(), k.matrix(), 0.5, e);
      pair_contexts(pairing, plain.weights, v.matrix(), c.matrix());
      plain.expect(pairing, K, e, c);
    });
  });
}

}  // namespace
}  // namespace dhyan::kernels
