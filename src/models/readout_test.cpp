#include "models/readout.h"

#include <cmath>
#include <gtest/gtest.h>

#include "models/testing/tiny_recurrent.h"

namespace dhyan {
namespace {

RecurrentConfig one_wide(OutputKind output) {
  RecurrentConfig config = tiny_recurrent();
  config.embedding = config.hidden = config.output_hidden = 1;
  config.output = output;
  return config;
}

class Readouts : public testing::Test {
 protected:
  Var number(Real x) { return scope_.constant(Tensor::of({1, 1}, {x})); }
  double value(const Readout& readout, const Var& c) {
    return double{readout(number(2), c, number(3)).value().item()};  // s = 2, y = 3
  }

  ParameterSet parameters_;
  Arena arena_;
  Scope scope_{arena_};
};

TEST_F(Readouts, TakeTheLargerOfEachPairWithMaxout) {
  const Readout readout(parameters_, one_wide(OutputKind::kMaxout), 1, Rng(1));
  parameters_.find("readout.weight")->value = Tensor::of({3, 2}, {1, -1, 10, -10, 100, -100});  // s, y, c
  parameters_.find("readout.bias")->value = Tensor::of({2}, {0.5, 0});
  EXPECT_EQ(value(readout, number(4)), 2 + 30 + 400 + 0.5);
  EXPECT_EQ(value(readout, number(-4)), -2 - 30 + 400);
}

TEST_F(Readouts, UseContextAndStateWithTanh) {
  const Readout readout(parameters_, one_wide(OutputKind::kTanh), 1, Rng(1));
  parameters_.find("readout.weight")->value = Tensor::of({2, 1}, {0.125, 0.25});  // c, s
  EXPECT_NEAR(value(readout, number(4)), std::tanh(0.125 * 4 + 0.25 * 2), 1e-6);
}

TEST_F(Readouts, UseTheLastWordTooWithDeepTanh) {
  const Readout readout(parameters_, one_wide(OutputKind::kDeepTanh), 1, Rng(1));
  parameters_.find("readout.weight")->value = Tensor::of({3, 1}, {0.25, -0.5, 0.125});  // s, y, c
  parameters_.find("readout.bias")->value = Tensor::of({1}, {0.75});
  EXPECT_NEAR(value(readout, number(4)), std::tanh(0.25 * 2 - 0.5 * 3 + 0.125 * 4 + 0.75), 1e-6);
}

TEST_F(Readouts, LeaveOutAMissingContext) {
  const Readout readout(parameters_, one_wide(OutputKind::kTanh), 0, Rng(1));
  parameters_.find("readout.weight")->value = Tensor::of({1, 1}, {0.25});
  EXPECT_NEAR(value(readout, {}), std::tanh(0.25 * 2), 1e-6);
  ParameterSet others;
  const Readout maxout(others, one_wide(OutputKind::kMaxout), 0, Rng(1));
  others.find("readout.weight")->value = Tensor::of({2, 2}, {1, -1, 10, -10});
  EXPECT_EQ(value(maxout, {}), 2 + 30);
  ParameterSet more;
  const Readout deep(more, one_wide(OutputKind::kDeepTanh), 0, Rng(1));
  more.find("readout.weight")->value = Tensor::of({2, 1}, {0.25, -0.5});
  EXPECT_NEAR(value(deep, {}), std::tanh(0.25 * 2 - 0.5 * 3), 1e-6);
}

}  // namespace
}  // namespace dhyan
