#include "backbones/inverted_residual.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "nn/testing/module_jacobian.h"
#include "ops/prepack.h"

namespace dhyan {
namespace {

// One value of a picture; zero outside.
double pixel(const std::vector<double>& x, GridShape grid, Index C, Index row, Index column, Index c) {
  if (row < 0 || row >= grid.height || column < 0 || column >= grid.width) return 0;
  return x[static_cast<std::size_t>((row * grid.width + column) * C + c)];
}

// A 1x1 convolution of [.,I] to [.,O].
std::vector<double> pointwise(const std::vector<double>& x, const Parameter& weight, const Parameter& bias) {
  const Index I = weight.value.rows(), O = weight.value.cols(), rows = std::ssize(x) / I;
  std::vector<double> y(static_cast<std::size_t>(rows * O));
  for (Index r = 0; r < rows; ++r) {
    for (Index o = 0; o < O; ++o) {
      double sum = bias.value.data()[o];
      for (Index i = 0; i < I; ++i) sum += x[static_cast<std::size_t>(r * I + i)] * weight.value.data()[i * O + o];
      y[static_cast<std::size_t>(r * O + o)] = sum;
    }
  }
  return y;
}

void clamp_to_6(std::vector<double>& x) {
  for (double& v : x) v = std::clamp(v, 0.0, 6.0);
}

// The block by plain loops. With stride 2 an even picture is padded below and on the right only.
std::vector<double> plain_block(const ParameterSet& parameters, const InvertedResidualOptions& options,
                                const Tensor& input, GridShape grid, GridShape out) {
  const auto named = [&](const char* name) -> const Parameter& { return *parameters.find(name); };
  const std::vector<double> x(input.span().begin(), input.span().end());
  std::vector<double> expanded = pointwise(x, named("b.expand.weight"), named("b.expand.bias"));
  clamp_to_6(expanded);
  const Index C = options.in * options.expansion, k = options.kernel;
  const Index before = std::max<Index>((out.height - 1) * options.stride + k - grid.height, 0) / 2;
  std::vector<double> filtered;
  for (Index row = 0; row < out.height; ++row) {
    for (Index column = 0; column < out.width; ++column) {
      for (Index c = 0; c < C; ++c) {
        double sum = named("b.depthwise.bias").value.data()[c];
        for (Index t = 0; t < k * k; ++t) {
          sum += named("b.depthwise.weight").value.data()[t * C + c] *
                 pixel(expanded, grid, C, row * options.stride - before + t / k,
                       column * options.stride - before + t % k, c);
        }
        filtered.push_back(sum);
      }
    }
  }
  clamp_to_6(filtered);
  std::vector<double> y = pointwise(filtered, named("b.project.weight"), named("b.project.bias"));
  if (options.stride == 1 && options.in == options.out) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += x[i];
  }
  return y;
}

TEST(InvertedResidual, EqualsPlainLoops) {
  const GridShape grid{6, 6};
  for (const InvertedResidualOptions& options :
       {InvertedResidualOptions{4, 4, 6, 3, 1}, InvertedResidualOptions{4, 7, 6, 5, 2},
        InvertedResidualOptions{5, 5, 2, 3, 2}, InvertedResidualOptions{3, 6, 3, 5, 1}}) {
    ParameterSet parameters;
    const InvertedResidual block(parameters, "b", options);
    randomise(parameters, 3);
    Rng rng(4);
    const Tensor x = random_tensor(rng, {grid.cells(), options.in}, -2, 2);
    const std::vector<double> expected = plain_block(parameters, options, x, grid, block.grid_of(grid));
    Arena arena;
    Scope scope(arena);
    for (const bool prepacked : {false, true}) {
      if (prepacked) prepack(parameters);
      const Var y = block(scope.constant(x), grid);
      ASSERT_EQ(static_cast<std::size_t>(y.value().size()), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(y.value().span()[i], expected[i], 5e-5) << i;
    }
  }
}

TEST(InvertedResidual, WithoutExpansionHasNoExpandingConvolution) {
  ParameterSet parameters;
  const InvertedResidual block(parameters, "b", {.in = 4, .out = 2, .expansion = 1});
  EXPECT_EQ(parameters.find("b.expand.weight"), nullptr);
  EXPECT_EQ(parameters.find("b.depthwise.weight")->value.shape(), (Shape{9, 4}));
}

TEST(InvertedResidual, HasTheRightJacobian) {
  ParameterSet parameters;
  const GridShape grid{4, 3};
  const InvertedResidual block(parameters, "b", {.in = 2, .out = 2, .expansion = 2});
  randomise(parameters, 5, 0.1);
  for (const char* bias : {"b.expand.bias", "b.depthwise.bias"}) {
    for (Real& b : parameters.find(bias)->value.span()) b += 3;  // far from the kinks of relu6
  }
  Rng rng(6);
  EXPECT_EQ(module_jacobian_mismatch(parameters, {random_tensor(rng, {grid.cells(), 2})},
                                     [&](Scope&, const std::vector<Var>& in) { return block(in[0], grid); }),
            "");
}

}  // namespace
}  // namespace dhyan
