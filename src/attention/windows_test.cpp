#include "attention/windows.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "attention/attend.h"
#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

constexpr Index kQueryWidth = 2;  // and of keys

// The weights that a window leaves of energies that are all 0; one list for each query.
using Rows = std::vector<std::vector<Real>>;

class Windows : public testing::Test {
 protected:
  std::unique_ptr<Window> window(std::string_view name, Index radius = 1) {
    weights_ = ParameterSet();
    return make_window(name, {weights_, "window", {.query = kQueryWidth, .hidden = 1, .radius = radius}, Rng(1)});
  }

  Rows look(const Window& window, Index T, Index S, const QueryPositions& positions = {}) {
    Arena arena;
    Scope scope(arena);
    return look(scope, window, T, S, positions);
  }

  Rows look(Scope& scope, const Window& window, Index T, Index S, const QueryPositions& positions = {}) {
    ParameterSet none;
    const auto dot = make_score("dot", {none, "score", {.query = kQueryWidth, .key = kQueryWidth}, Rng(1)});
    const Var q = scope.constant(Tensor::zeros({T, kQueryWidth})), h = scope.constant(Tensor::zeros({S, kQueryWidth}));
    const Attended attended =
        attend(*dot, {q, Segments::one(T)}, {h, h, Segments::one(S)}, {.window = &window, .positions = positions});
    Rows rows;
    const std::span<const Real> all = attended.weights.value().span();
    for (Index t = 0; t < T; ++t) {
      const auto begin = all.begin() + t * S;
      rows.emplace_back(begin, begin + S);
    }
    return rows;
  }

  ParameterSet weights_;
};

void expect_weights(const Rows& got, const std::vector<std::vector<double>>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t t = 0; t < got.size(); ++t) {
    ASSERT_EQ(got[t].size(), expected[t].size());
    for (std::size_t j = 0; j < got[t].size(); ++j) {
      if (expected[t][j] == 0) {
        EXPECT_EQ(got[t][j], 0) << t << ' ' << j;  // exactly
      } else {
        EXPECT_NEAR(got[t][j], expected[t][j], 1e-6) << t << ' ' << j;
      }
    }
  }
}

constexpr double kHalf = 0.5, kThird = 1.0 / 3;

TEST_F(Windows, AreInATableWithAMeaningAndAReferenceEach) {
  for (const WindowEntry& entry : windows()) {
    EXPECT_FALSE(entry.meaning.empty()) << entry.name;
    EXPECT_FALSE(entry.reference.empty()) << entry.name;
    EXPECT_EQ(std::ranges::count(windows(), entry.name, &WindowEntry::name), 1) << entry.name;
  }
}

TEST_F(Windows, OfAnUnknownNameListTheKnownOnes) {
  EXPECT_EQ(thrown<ConfigError>([&] { window("local"); }),
            "window: 'local' is none of global, local-m, local-p, hard, causal, no-end");
}

TEST_F(Windows, ThatAreLocalNeedARadius) {
  for (const char* name : {"local-m", "local-p"}) {
    EXPECT_EQ(thrown<ConfigError>([&] { window(name, 0); }), "window: radius is 0, expected 1 or more");
  }
}

TEST_F(Windows, ThatPredictNeedAHiddenLayer) {
  ParameterSet weights;
  EXPECT_EQ(thrown<ConfigError>([&] {
              make_window("local-p", {weights, "window", {.query = 2}, Rng(1)});
            }),
            "window: width of the hidden layer is 0, expected 1 or more");
}

TEST_F(Windows, GlobalShowsEverything) {
  expect_weights(look(*window("global"), 2, 3), {{kThird, kThird, kThird}, {kThird, kThird, kThird}});
}

TEST_F(Windows, CausalShowsNothingAfterTheQuerysPlace) {
  expect_weights(look(*window("no-end"), 2, 3), {{kHalf, kHalf, 0}, {kHalf, kHalf, 0}});
  expect_weights(look(*window("no-end"), 1, 1), {{1}});
  expect_weights(look(*window("causal"), 3, 3), {{1, 0, 0}, {kHalf, kHalf, 0}, {kThird, kThird, kThird}});
}

TEST_F(Windows, CausalCountsFromThePlaceOfTheFirstQuery) {
  expect_weights(look(*window("causal"), 2, 3, 1), {{kHalf, kHalf, 0}, {kThird, kThird, kThird}});
  expect_weights(look(*window("causal"), 2, 3, QueryPositions::all_at(1)), {{kHalf, kHalf, 0}, {kHalf, kHalf, 0}});
}

TEST_F(Windows, CausalCountsFromAPlaceOfItsOwnInEachSentence) {
  const std::vector<Index> firsts{2, 0};
  const QueryPositions positions = QueryPositions::from(firsts);
  EXPECT_EQ(positions.at(0, 0), 2);
  EXPECT_EQ(positions.at(0, 1), 3);
  EXPECT_EQ(positions.at(1, 1), 1);
  expect_weights(look(*window("causal"), 1, 4, positions), {{kThird, kThird, kThird, 0}});
}

TEST_F(Windows, CanBeCutToEarlierPositions) {
  expect_weights(look(*causal(window("global")), 2, 3), {{1, 0, 0}, {kHalf, kHalf, 0}});
  expect_weights(look(*causal(window("local-m")), 3, 4), {{1, 0, 0, 0}, {kHalf, kHalf, 0, 0}, {0, kHalf, kHalf, 0}});
  expect_weights(look(*causal(window("hard")), 2, 3), {{1, 0, 0}, {1, 0, 0}});
}

TEST_F(Windows, LocalMonotonicShowsARadiusAroundTheQuerysPlaceAndZeroOutside) {
  expect_weights(look(*window("local-m"), 3, 4),
                 {{kHalf, kHalf, 0, 0}, {kThird, kThird, kThird, 0}, {0, kThird, kThird, kThird}});
  expect_weights(look(*window("local-m"), 2, 4, QueryPositions::all_at(2)),
                 {{0, kThird, kThird, kThird}, {0, kThird, kThird, kThird}});
}

TEST_F(Windows, LocalMonotonicStaysAtTheEndOfAShorterSource) {
  expect_weights(look(*window("local-m"), 2, 3, 7), {{0, kHalf, kHalf}, {0, kHalf, kHalf}});
}

TEST_F(Windows, LocalPredictiveIsAGaussianCutAtTheRadius) {
  const auto predictive = window("local-p", 2);
  // The queries are 0: p = 7 sigmoid(0) = 3.5, which rounds to 4; σ = 1. Positions 2..6 at -1.5, -.5, .5, 1.5, 2.5.
  const double near = std::exp(-0.125), far = std::exp(-1.125), farther = std::exp(-3.125);
  const double sum = 2 * near + 2 * far + farther;
  expect_weights(look(*predictive, 1, 7), {{0, 0, far / sum, near / sum, near / sum, far / sum, farther / sum}});
}

TEST_F(Windows, LocalPredictiveMovesWithItsPrediction) {
  const auto predictive = window("local-p", 1);
  weights_.find("window.W")->value.data()[0] = 100;  // tanh saturates: p = S sigmoid(±v)
  weights_.find("window.W")->value.data()[1] = 0;
  weights_.find("window.v")->value.fill(100);
  Arena arena;
  Scope scope(arena);
  const Var query = scope.constant(Tensor::of({2, 2}, {1, 0, -1, 0}));
  const AttentionLayout layout{Segments::one(2), Segments::one(5), 1};
  const MaskAndBias view = predictive->view({query, layout.queries}, layout, {});
  EXPECT_EQ(view.visible.range(0, 5).begin, 3);  // p = 5: the last key and its neighbour
  EXPECT_EQ(view.visible.range(0, 5).end, 5);
  EXPECT_EQ(view.visible.range(1, 5).begin, 0);  // p = 0
  EXPECT_EQ(view.visible.range(1, 5).end, 2);
  EXPECT_NEAR(view.bias.value().data()[4], -2, 1e-5);  // -(4 - 5)² / (2 (1/2)²)
  EXPECT_NEAR(view.bias.value().data()[5], 0, 1e-5);
}

TEST_F(Windows, HardInUseTakesTheLikeliest) { expect_weights(look(*window("hard"), 2, 3), {{1, 0, 0}, {1, 0, 0}}); }

TEST_F(Windows, HardInTrainingDrawsOnePositionOrKeepsTheWeights) {
  const auto hard = window("hard");
  GradientSet gradients(weights_);
  Tape tape(weights_);
  tape.start(gradients, Rng(3));
  Arena arena;
  Scope scope(arena, tape);
  std::vector<int> drawn(3);
  int kept = 0;
  for (int sentence = 0; sentence < 200; ++sentence) {
    for (const auto& row : look(scope, *hard, 3, 3)) {
      if (std::ranges::count(row, Real{1}) == 0) {
        EXPECT_NEAR(row[0], kThird, 1e-6);
        ++kept;
        continue;
      }
      ASSERT_EQ(std::ranges::count(row, Real{0}), 2);
      ++drawn[static_cast<std::size_t>(std::ranges::find(row, Real{1}) - row.begin())];
    }
  }
  EXPECT_NEAR(kept, 300, 85);  // four standard deviations
  for (const int count : drawn) EXPECT_NEAR(count, 100, 45);
}

TEST_F(Windows, LeaveASentenceWithoutKeysAlone) {
  for (const WindowEntry& entry : windows()) {
    expect_weights(look(*window(entry.name), 2, 0), {{}, {}});
  }
}

}  // namespace
}  // namespace dhyan
