#include "ops/convolution.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "kernels/testing/naive_windows.h"
#include "ops/arithmetic.h"
#include "ops/prepack.h"
#include "ops/testing/int8_parameter.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

using kernels::Rectifier;
using Inputs = std::vector<Var>;

const WindowOptions kSame3{.kernel = 3}, kSame3Stride2{.kernel = 3, .stride = 2},
    kPadded3{.kernel = 3, .stride = 2, .padding = 1}, kCell{.kernel = 1},
    kPatches{.kernel = 2, .stride = 2, .padding = 0};
const GridShape kGrid{4, 3};

TEST(WindowGrids, FollowTensorFlowOrPyTorch) {
  EXPECT_EQ(window_grid({224, 224}, kSame3Stride2), (GridShape{112, 112}));
  EXPECT_EQ(window_grid({7, 5}, kSame3Stride2), (GridShape{4, 3}));
  EXPECT_EQ(window_grid({7, 5}, {.kernel = 3, .stride = 2, .padding = 0}), (GridShape{3, 2}));
  EXPECT_EQ(window_grid({8, 8}, kPadded3), (GridShape{4, 4}));
  EXPECT_EQ(window_grid({1, 1}, {.kernel = 5}), (GridShape{1, 1}));
}

TEST(WindowGrids, HaveTheExtraCellOfSamePaddingAtTheBottomAndOnTheRight) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({6 * 7, 1}));
  const kernels::Windows windows = windows_on("test", x, {6, 7}, kSame3Stride2);
  EXPECT_EQ(windows.top, 0);   // 3 windows reach over 7 of 6 rows
  EXPECT_EQ(windows.left, 1);  // 4 windows reach over 9 of 7 columns
}

TEST(WindowGrids, RefuseWindowsThatDoNotFit) {
  EXPECT_EQ(thrown<ConfigError>([] {
              window_grid({2, 9}, {.kernel = 5, .padding = 1});
            }),
            "windows: a kernel of 5 with a padding of 1 does not fit a grid of 2x9");
  EXPECT_THROW(window_grid({4, 4}, {.kernel = 0}), ConfigError);
  EXPECT_THROW(window_grid({4, 4}, {.kernel = 3, .stride = 0}), ConfigError);
  EXPECT_THROW(window_grid({4, 4}, {.kernel = 3, .padding = 3}), ConfigError);
  EXPECT_THROW(window_grid({0, 4}, kSame3), ConfigError);
}

TEST(Conv2d, MatchesHandValues) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({4, 1}, {1, 2, 3, 4}));
  const Var w = scope.constant(Tensor::of({4, 2}, {1, 1, 10, 0, 100, 0, 1000, -1}));  // taps by outputs
  const Var b = scope.constant(Tensor::of({2}, {0, 2}));
  const Var y = conv2d(x, {2, 2}, w, b, {{.kernel = 2}, Rectifier::kRelu});  // the padding is below and on the right
  EXPECT_EQ(values(y), (std::vector<Real>{4321, 0, 402, 4, 43, 5, 4, 6}));
}

// In double; of two pictures.
std::vector<double> plain_conv2d(const Tensor& x, const kernels::Windows& w, const Tensor& weight, const Tensor& bias) {
  const Index C = x.cols(), O = weight.cols();
  std::vector<double> y(static_cast<std::size_t>(w.rows() * O));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = bias.data()[i % static_cast<std::size_t>(O)];
  kernels::each_tap(w, [&](Index window, Index tap, Index cell) {
    for (Index c = 0; c < C; ++c) {
      for (Index o = 0; o < O; ++o)
        y[static_cast<std::size_t>(window * O + o)] +=
            double{x.data()[cell * C + c]} * weight.data()[(tap * C + c) * O + o];
    }
  });
  return y;
}

TEST(Conv2d, EqualsPlainLoopsWithAndWithoutATape) {
  Rng rng(1);
  const GridShape grid{23, 31};
  for (const WindowOptions& window : {kSame3, kSame3Stride2, kPadded3, kCell, kPatches, WindowOptions{.kernel = 5}}) {
    const Index C = 13, O = 37;
    const Tensor x = random_tensor(rng, {2 * grid.cells(), C}), bias = random_tensor(rng, {O});
    ParameterSet parameters;
    Parameter& weight = parameters.add("w", {window.kernel * window.kernel * C, O});
    for (Real& v : weight.value.span()) v = static_cast<Real>(rng.uniform(-0.2, 0.2));
    GradientSet sink(parameters);
    Tape tape(parameters);
    tape.start(sink, Rng(0));
    Arena arena;
    Scope inference(arena), training(arena, tape);
    const auto run = [&](Scope& scope) {
      return values(conv2d(scope.constant(x), grid, scope.parameter(weight), scope.constant(bias), {window}));
    };
    const std::vector<Real> y = run(inference);
    const std::vector<double> expected =
        plain_conv2d(x, windows_on("test", inference.constant(x), grid, window), weight.value, bias);
    ASSERT_EQ(y.size(), expected.size());
    for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], expected[i], 2e-5) << i;
    EXPECT_EQ(run(training), y);
    prepack(parameters);
    EXPECT_EQ(run(inference), y) << "prepacked at the second block";
    EXPECT_EQ(run(inference), y) << "prepacked";
  }
}

TEST(Conv2d, TakesAnInt8Weight) {
  Rng rng(2);
  ParameterSet parameters;
  Parameter& weight = parameters.add("w", {9 * 8, 16});
  for (Real& v : weight.value.span()) v = static_cast<Real>(rng.uniform(-0.2, 0.2));
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(random_tensor(rng, {2 * kGrid.cells(), 8}));
  const auto run = [&] { return values(conv2d(x, kGrid, scope.parameter(weight), {}, {kSame3})); };
  const std::vector<Real> expected = run();
  make_int8(weight);
  const std::vector<Real> y = run();
  double difference = 0;
  for (std::size_t i = 0; i < y.size(); ++i) difference = std::max(difference, std::abs(double{y[i]} - expected[i]));
  EXPECT_LT(difference, 0.03);
  EXPECT_GT(difference, 0);
}

TEST(Conv2d, HasTheRightJacobians) {
  Rng rng(3);
  for (const WindowOptions& window : {kSame3, kSame3Stride2, kPadded3, kCell, kPatches}) {
    const std::vector<Tensor> inputs{random_tensor(rng, {2 * kGrid.cells(), 2}),
                                     random_tensor(rng, {window.kernel * window.kernel * 2, 3}),
                                     random_tensor(rng, {3})};
    const auto f = [&](Scope&, const Inputs& in) { return conv2d(in[0], kGrid, in[1], in[2], {window}); };
    EXPECT_EQ(jacobian_mismatch(f, inputs), "") << window.kernel << " " << window.stride;
    const auto without_bias = [&](Scope&, const Inputs& in) { return conv2d(in[0], kGrid, in[1], {}, {window}); };
    EXPECT_EQ(jacobian_mismatch(without_bias, {inputs[0], inputs[1]}), "") << window.kernel;
  }
}

TEST(Conv2d, HasTheRightJacobianOfInputsThatAreUsedTwice) {
  Rng rng(4);
  const auto f = [](Scope&, const Inputs& in) {
    const Var once = conv2d(in[0], kGrid, in[1], in[2], {kSame3});
    return add(conv2d(once, kGrid, in[1], in[2], {kSame3}), in[0]);
  };
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {kGrid.cells(), 2}), random_tensor(rng, {18, 2}, -0.5, 0.5),
                                  random_tensor(rng, {2})}),
            "");
}

// Sums that are far from 0 and 6: below, between and above.
std::vector<Tensor> far_from_kinks(Rng& rng, Index weight_rows) {
  return {random_tensor(rng, {kGrid.cells(), 3}), random_tensor(rng, {weight_rows, 3}, 0.01, 0.05),
          Tensor::of({3}, {-4, 3, 10})};
}

TEST(Conv2d, WithARectifierHasTheRightJacobian) {
  Rng rng(5);
  for (const Rectifier rectifier : {Rectifier::kRelu, Rectifier::kRelu6}) {
    const auto f = [&](Scope&, const Inputs& in) { return conv2d(in[0], kGrid, in[1], in[2], {kSame3, rectifier}); };
    EXPECT_EQ(jacobian_mismatch(f, far_from_kinks(rng, 27)), "");
    const auto depthwise = [&](Scope&, const Inputs& in) {
      return depthwise_conv2d(in[0], kGrid, in[1], in[2], {kSame3, rectifier});
    };
    EXPECT_EQ(jacobian_mismatch(depthwise, far_from_kinks(rng, 9)), "");
  }
}

TEST(DepthwiseConv2d, HasTheRightJacobians) {
  Rng rng(6);
  const WindowOptions five{.kernel = 5, .stride = 2};
  for (const WindowOptions& window : {kSame3, kSame3Stride2, kPadded3, kPatches, five}) {
    const std::vector<Tensor> inputs{random_tensor(rng, {2 * kGrid.cells(), 2}),
                                     random_tensor(rng, {window.kernel * window.kernel, 2}), random_tensor(rng, {2})};
    const auto f = [&](Scope&, const Inputs& in) { return depthwise_conv2d(in[0], kGrid, in[1], in[2], {window}); };
    EXPECT_EQ(jacobian_mismatch(f, inputs), "") << window.kernel << " " << window.stride;
  }
}

TEST(DepthwiseConv2d, HasTheRightJacobianOfInputsThatAreUsedTwice) {
  Rng rng(9);
  const auto f = [](Scope&, const Inputs& in) {
    return depthwise_conv2d(depthwise_conv2d(in[0], kGrid, in[1], in[2], {kSame3}), kGrid, in[1], in[2], {kSame3});
  };
  EXPECT_EQ(jacobian_mismatch(
                f, {random_tensor(rng, {kGrid.cells(), 2}), random_tensor(rng, {9, 2}), random_tensor(rng, {2})}),
            "");
}

TEST(Conv2d, GivesAPictureTheSameBytesWhateverIsBesideIt) {
  Rng rng(7);
  const GridShape grid{17, 19};
  const Tensor pictures = random_tensor(rng, {5 * grid.cells(), 6}), weight = random_tensor(rng, {54, 20}),
               taps = random_tensor(rng, {9, 6});
  ParameterSet none;
  GradientSet sink(none);
  Tape tape(none);
  tape.start(sink, Rng(0));
  Arena arena;
  Scope inference(arena), training(arena, tape);
  for (Scope* scope : {&inference, &training}) {
    const auto run = [&](const Tensor& x) {
      const Var filtered = depthwise_conv2d(scope->constant(x), grid, scope->constant(taps), {}, {kSame3});
      return values(conv2d(filtered, grid, scope->constant(weight), {}, {kSame3Stride2}));
    };
    const std::vector<Real> together = run(pictures);
    const std::size_t size = together.size() / 5;
    for (Index p = 0; p < 5; ++p) {
      const std::vector<Real> alone = run(pictures.row_range(p * grid.cells(), (p + 1) * grid.cells()));
      EXPECT_TRUE(std::ranges::equal(alone, std::span(together).subspan(static_cast<std::size_t>(p) * size, size)));
    }
  }
}

TEST(Conv2d, OfNoPicturesGivesNoRowsAndAZeroGradient) {
  Rng rng(8);
  EXPECT_EQ(jacobian_mismatch([](Scope&, const Inputs& in) { return conv2d(in[0], kGrid, in[1], in[2], {kSame3}); },
                              {Tensor::zeros({0, 2}), random_tensor(rng, {18, 3}), random_tensor(rng, {3})}),
            "");
}

TEST(Conv2d, NamesTheShapesThatDoNotFit) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&](Shape shape) { return scope.constant(Tensor::zeros(shape)); };
  EXPECT_EQ(thrown<ShapeError>([&] {
              conv2d(zeros({13, 2}), kGrid, zeros({18, 4}), {}, {kSame3});
            }),
            "conv2d: x is [13,2], expected rows of grids of 4x3");
  EXPECT_EQ(thrown<ShapeError>([&] {
              conv2d(zeros({12, 2}), kGrid, zeros({9, 4}), {}, {kSame3});
            }),
            "conv2d: weight is [9,4], expected [18,4]");
  EXPECT_EQ(thrown<ShapeError>([&] {
              depthwise_conv2d(zeros({12, 2}), kGrid, zeros({9, 4}), {}, {kSame3});
            }),
            "depthwise_conv2d: weight is [9,4], expected [9,2]");
  EXPECT_THROW(conv2d(zeros({12, 2}), kGrid, zeros({18, 4}), zeros({3}), {kSame3}), ShapeError);
}

}  // namespace
}  // namespace dhyan
