#include "kernels/attention/additive_energies.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/ragged_layout.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using Values = std::vector<Real>;

constexpr double kEnergyTolerance = sizeof(Real) == 8 ? 1e-12 : 2e-5;

struct Case {
  AttentionLayout layout;
  Index A;  // of all heads
  Values q, k, v, de;

  Case(Index heads, Index width) : layout(ragged_layout(heads)), A(heads * width) {
    Rng rng(7);
    q = random_values(rng, 6 * A);
    k = random_values(rng, 6 * A);
    v = random_values(rng, A);
    de = random_values(rng, layout.count());
  }

  AdditiveInputs inputs() { return {rows(q), rows(k), v}; }
  Matrix rows(Values& values) const { return {values.data(), 6, A, A}; }

  // f(index of the pair, index into q, index into k, index into v) for every column of every pair.
  template <class F>
  void each_column(const F& f) const {
    for_each_block(layout, [&](const LayoutBlock& block) {
      const Index width = A / layout.heads;
      for (Index t = 0; t < block.T; ++t) {
        for (Index s = 0; s < block.S; ++s) {
          for (Index a = block.head * width; a < (block.head + 1) * width; ++a) {
            f(static_cast<std::size_t>(block.offset + t * block.S + s),
              static_cast<std::size_t>((block.query_begin + t) * A + a),
              static_cast<std::size_t>((block.key_begin + s) * A + a), static_cast<std::size_t>(a));
          }
        }
      }
    });
  }
};

// One head and two, each as wide as a vector or nearly so.
template <class F>
void for_each_case(const F& f) {
  for (const Index heads : {1, 2}) {
    for (const Index width : kLengths) {
      if (width == 0) continue;
      SCOPED_TRACE(width);
      Case c(heads, width);
      f(c);
    }
  }
}

TEST(AdditiveEnergies, EqualPlainLoopsOnEveryTarget) {
  on_every_target([] {
    for_each_case([](Case& c) {
      std::vector<double> expected(c.de.size());
      c.each_column([&](std::size_t e, std::size_t q, std::size_t k, std::size_t a) {
        expected[e] += c.v[a] * std::tanh(double{c.q[q]} + c.k[k]);
      });
      Values energies(c.de.size());
      additive_energies(c.layout, c.inputs(), energies);
      expect_near(energies, expected, kEnergyTolerance);
    });
  });
}

TEST(AdditiveEnergies, AddTheirGradientsOnEveryTarget) {
  on_every_target([] {
    for_each_case([](Case& c) {
      std::vector<double> dq(c.q.size(), 0.5), dk(c.k.size(), 0.5), dv(c.v.size(), 0.5);
      c.each_column([&](std::size_t e, std::size_t q, std::size_t k, std::size_t a) {
        const double y = std::tanh(double{c.q[q]} + c.k[k]), dsum = c.de[e] * c.v[a] * (1 - y * y);
        dq[q] += dsum;
        dk[k] += dsum;
        dv[a] += c.de[e] * y;
      });
      Values to_q(c.q.size(), 0.5), to_k(c.k.size(), 0.5), to_v(c.v.size(), 0.5);
      additive_energies_backward(c.layout, c.inputs(), c.de, {c.rows(to_q), c.rows(to_k), {to_v.data(), 1, c.A, c.A}});
      expect_near(to_q, dq, kEnergyTolerance);
      expect_near(to_k, dk, kEnergyTolerance);
      expect_near(to_v, dv, kEnergyTolerance);
    });
  });
}

TEST(AdditiveEnergies, SkipGradientsWithoutData) {
  Case c(2, 5);
  Values all_k(c.k.size()), all_q(c.q.size()), all_v(c.v.size()), only(c.k.size());
  additive_energies_backward(c.layout, c.inputs(), c.de, {c.rows(all_q), c.rows(all_k), {all_v.data(), 1, c.A, c.A}});
  additive_energies_backward(c.layout, c.inputs(), c.de, {{}, c.rows(only), {}});
  EXPECT_EQ(only, all_k);
}

TEST(AdditiveEnergies, PropagateNan) {
  on_every_target([] {
    Values q{std::numeric_limits<Real>::quiet_NaN()}, k{1}, v{1}, e(1);
    additive_energies({Segments::one(1), Segments::one(1), 1}, {matrix_of(q, 1), matrix_of(k, 1), v}, e);
    EXPECT_TRUE(std::isnan(e[0]));
  });
}

}  // namespace
}  // namespace dhyan::kernels
