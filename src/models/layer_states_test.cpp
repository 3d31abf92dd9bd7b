#include "models/layer_states.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

class LayerStatesTest : public testing::Test {
 protected:
  std::vector<Real> before(Index layer, Index width) {
    const Var state = states_.before(scope_, layer, width);
    return {state.value().span().begin(), state.value().span().end()};
  }
  void follow(std::initializer_list<RowId> rows) { states_.follow(std::vector<RowId>(rows)); }
  void keep(Index layer, std::initializer_list<Real> numbers, Index rows) {
    states_.keep(layer, scope_.constant(Tensor::of({rows, std::ssize(numbers) / rows}, numbers)));
  }

  Arena arena_;
  Scope scope_{arena_};
  LayerStates states_{2};
};

TEST_F(LayerStatesTest, AreZeroAtFirst) {
  follow({0, 1});
  EXPECT_EQ(before(1, 2), std::vector<Real>(4));
}

TEST_F(LayerStatesTest, FollowTheHypothesesThatGoOn) {
  follow({0, 1});
  keep(0, {1, 2, 3, 4}, 2);
  keep(1, {5, 6}, 2);
  follow({1, 1, 0});
  EXPECT_EQ(before(0, 2), (std::vector<Real>{3, 4, 3, 4, 1, 2}));
  EXPECT_EQ(before(1, 1), (std::vector<Real>{6, 6, 5}));
  follow({});
  EXPECT_EQ(before(0, 2), std::vector<Real>());
}

TEST_F(LayerStatesTest, RefuseARowThatWasNotThere) {
  follow({0});
  keep(0, {1, 2}, 1);
  EXPECT_EQ(thrown<UsageError>([&] { follow({1}); }), "LayerStates::follow: goes on from hypothesis 1, there were 1");
  EXPECT_EQ(thrown<ShapeError>([&] { keep(0, {1, 2}, 2); }), "LayerStates::keep: state is [2,1], expected [1,1]");
}

}  // namespace
}  // namespace dhyan
