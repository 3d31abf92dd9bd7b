#include "kernels/elementwise/gates.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Calls f(rng, n, H) for widths around the vector widths, on every target.
void for_every_width(const std::function<void(Rng&, Index, Index)>& f) {
  on_every_target([&f] {
    Rng rng(1);
    for (Index H = 1; H <= 35; ++H) f(rng, 2, H);
  });
}

TEST(GateKernels, EqualScalarCodeForATanhCell) {
  for_every_width([](Rng& rng, Index n, Index H) {
    PaddedRows x(rng, n, H), u(rng, n, H), h(rng, n, H), dh(rng, n, H), dx(rng, n, H), du(rng, n, H);
    const PaddedRows h_was = h, dx_was = dx, du_was = du;
    rnn_gates(x.matrix(), u.matrix(), h.matrix());
    rnn_gates_backward(h.matrix(), dh.matrix(), {dx.matrix(), du.matrix(), {}});
    for (Index r = 0; r < n; ++r) {
      for (Index j = 0; j < H; ++j) {
        const double expected = std::tanh(x.at(r, j) + u.at(r, j)), slope = 1 - expected * expected;
        EXPECT_NEAR(h.at(r, j), expected, kTolerance);
        EXPECT_NEAR(dx.at(r, j), dx_was.at(r, j) + dh.at(r, j) * slope, 2 * kTolerance);
        EXPECT_NEAR(du.at(r, j), du_was.at(r, j) + dh.at(r, j) * slope, 2 * kTolerance);
      }
      for (Index gap = H; gap < H + 3; ++gap) {
        EXPECT_EQ(h.at(r, gap), h_was.at(r, gap));
        EXPECT_EQ(dx.at(r, gap), dx_was.at(r, gap));
      }
    }
  });
}

TEST(GateKernels, EqualScalarCodeForAGru) {
  for_every_width([](Rng& rng, Index n, Index H) {
    PaddedRows x(rng, n, 3 * H), u(rng, n, 3 * H), before(rng, n, H), h(rng, n, H), kept(rng, n, 3 * H), dh(rng, n, H);
    PaddedRows dx(rng, n, 3 * H), du(rng, n, 3 * H), dbefore(rng, n, H);
    const PaddedRows h_was = h, dx_was = dx, du_was = du, dbefore_was = dbefore;
    const GateInputs in{x.matrix(), u.matrix(), before.matrix()};
    gru_gates(in, h.matrix(), kept.matrix());
    gru_gates_backward(in, kept.matrix(), dh.matrix(), {dx.matrix(), du.matrix(), dbefore.matrix()});
    for (Index row = 0; row < n; ++row) {
      for (Index j = 0; j < H; ++j) {
        const double r = sigmoid(x.at(row, j) + u.at(row, j)), z = sigmoid(x.at(row, H + j) + u.at(row, H + j));
        const double u_n = u.at(row, 2 * H + j), c = std::tanh(x.at(row, 2 * H + j) + r * u_n);
        EXPECT_NEAR(h.at(row, j), (1 - z) * c + z * before.at(row, j), kTolerance);
        const double d = dh.at(row, j), da_n = d * (1 - z) * (1 - c * c), da_r = da_n * u_n * r * (1 - r);
        const double da_z = d * (before.at(row, j) - c) * z * (1 - z);
        const auto added = [&](const PaddedRows& now, const PaddedRows& was, Index column) {
          return now.at(row, column) - was.at(row, column);
        };
        EXPECT_NEAR(added(dx, dx_was, j), da_r, 3 * kTolerance);
        EXPECT_NEAR(added(du, du_was, j), da_r, 3 * kTolerance);
        EXPECT_NEAR(added(dx, dx_was, H + j), da_z, 3 * kTolerance);
        EXPECT_NEAR(added(du, du_was, H + j), da_z, 3 * kTolerance);
        EXPECT_NEAR(added(dx, dx_was, 2 * H + j), da_n, 3 * kTolerance);
        EXPECT_NEAR(added(du, du_was, 2 * H + j), da_n * r, 3 * kTolerance);
        EXPECT_NEAR(added(dbefore, dbefore_was, j), d * z, 3 * kTolerance);
      }
      for (Index gap = H; gap < H + 3; ++gap) EXPECT_EQ(h.at(row, gap), h_was.at(row, gap));
    }
  });
}

TEST(GateKernels, EqualScalarCodeForAnLstm) {
  for_every_width([](Rng& rng, Index n, Index H) {
    PaddedRows x(rng, n, 4 * H), u(rng, n, 4 * H), before(rng, n, H), c(rng, n, H), h(rng, n, H);
    PaddedRows kept(rng, n, 3 * H), kept_output(rng, n, 2 * H), dh(rng, n, H), dc(rng, n, H);
    PaddedRows dx(rng, n, 4 * H), du(rng, n, 4 * H), dbefore(rng, n, H);
    const PaddedRows dc_was = dc, dx_was = dx, du_was = du, dbefore_was = dbefore;
    const GateInputs in{x.matrix(), u.matrix(), before.matrix()}, shown{x.matrix(), u.matrix(), c.matrix()};
    lstm_state(in, c.matrix(), kept.matrix());
    lstm_output(shown, h.matrix(), kept_output.matrix());
    lstm_output_backward(kept_output.matrix(), dh.matrix(), {dx.matrix(), du.matrix(), dc.matrix()});
    lstm_state_backward(in, kept.matrix(), dc.matrix(), {dx.matrix(), du.matrix(), dbefore.matrix()});
    for (Index r = 0; r < n; ++r) {
      for (Index j = 0; j < H; ++j) {
        const auto sum = [&](Index block) { return x.at(r, block * H + j) + u.at(r, block * H + j); };
        const double i = sigmoid(sum(0)), f = sigmoid(sum(1)), g = std::tanh(sum(2)), o = sigmoid(sum(3));
        const double state = f * before.at(r, j) + i * g, squashed = std::tanh(state);
        EXPECT_NEAR(c.at(r, j), state, 2 * kTolerance);
        EXPECT_NEAR(h.at(r, j), o * squashed, 2 * kTolerance);
        const double d = dh.at(r, j), d_state = dc_was.at(r, j) + d * o * (1 - squashed * squashed);
        EXPECT_NEAR(dc.at(r, j), d_state, 4 * kTolerance);
        EXPECT_NEAR(dbefore.at(r, j) - dbefore_was.at(r, j), d_state * f, 6 * kTolerance);
        const double expected[] = {d_state * g * i * (1 - i), d_state * before.at(r, j) * f * (1 - f),
                                   d_state * i * (1 - g * g), d * squashed * o * (1 - o)};
        for (Index block = 0; block < 4; ++block) {
          const Index column = block * H + j;
          EXPECT_NEAR(dx.at(r, column) - dx_was.at(r, column), expected[block], 6 * kTolerance) << block;
          EXPECT_NEAR(du.at(r, column) - du_was.at(r, column), expected[block], 6 * kTolerance) << block;
        }
      }
    }
  });
}

TEST(GateKernels, GiveTheSameWithoutKept) {
  for_every_width([](Rng& rng, Index n, Index H) {
    PaddedRows x(rng, n, 4 * H), u(rng, n, 4 * H), before(rng, n, H), kept(rng, n, 3 * H), a(rng, n, H);
    PaddedRows b = a;
    const GateInputs in{x.matrix(), u.matrix(), before.matrix()};
    for (const auto& kernel : {gru_gates, lstm_state, lstm_output}) {
      kernel(in, a.matrix(), kept.matrix());
      kernel(in, b.matrix(), {});
      EXPECT_EQ(a.values, b.values);
    }
  });
}

TEST(GateKernels, SaturateWithoutOverflowAndPropagateNan) {
  on_every_target([] {
    // z = 1 keeps the state, z = 0 with n = tanh(+-400) replaces it.
    const std::vector<Real> x{0, 0, 400, -400, 400, -400}, u(6, 0), before{0.25, 0.25};
    std::vector<Real> h(2);
    gru_gates({{x.data(), 1, 6, 6}, {u.data(), 1, 6, 6}, {before.data(), 1, 2, 2}}, {h.data(), 1, 2, 2}, {});
    EXPECT_EQ(h, (std::vector<Real>{0.25, -1}));
    for (std::size_t block = 0; block < 3; ++block) {
      std::vector<Real> broken = x;
      broken[2 * block] = std::numeric_limits<Real>::quiet_NaN();
      broken[2] = block == 1 ? broken[2] : 0;  // with z = 1 the candidate would not count
      std::vector<Real> from_h(6, 1);          // with u_n = 0 the reset gate would not count
      gru_gates({{broken.data(), 1, 6, 6}, {from_h.data(), 1, 6, 6}, {before.data(), 1, 2, 2}}, {h.data(), 1, 2, 2},
                {});
      EXPECT_TRUE(std::isnan(h[0])) << block;
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels
