#include "kernels/pair_products.h"

#include <gtest/gtest.h>

#include "kernels/on_every_target.h"
#include "kernels/test_numbers.h"

namespace dhyan::kernels {
namespace {

// Few queries and many, keys in fours and not, heads of widths around a vector's.
TEST(PairProducts, EqualPlainLoops) {
  Rng rng(1);
  const Pairing of_one_head{Segments::from_lengths({2, 1, 0, 9, 3}), Segments::from_lengths({3, 8, 2, 5, 0}), 1};
  for (const Index heads : {1, 3}) {
    for (const Index K : {1, 5, 16, 32, 33, 40, 64}) {
      Pairing pairing = of_one_head;
      pairing.heads = heads;
      PaddedRows q(rng, pairing.queries.rows(), heads * K), k(rng, pairing.keys.rows(), heads * K), v = k;
      const std::vector<Real> weights = random_numbers(rng, pairing.count());
      on_every_target([&] {
        std::vector<Real> e(weights.size());
        PaddedRows c(rng, pairing.queries.rows(), heads * K);
        pair_energies(pairing, q.matrix(), k.matrix(), 0.5, e);
        pair_contexts(pairing, weights, v.matrix(), c.matrix());
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
      });
    }
  }
}

}  // namespace
}  // namespace dhyan::kernels
