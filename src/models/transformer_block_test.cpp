#include "models/transformer_block.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "models/testing/tiny_transformer.h"
#include "models/transformer_stack.h"
#include "ops/arithmetic.h"

namespace dhyan {
namespace {

TEST(Residual, NormalisesTheInputOfTheSublayerOrTheSum) {
  const Tensor x = Tensor::of({1, 4}, {1, 3, 1, 3});  // mean 2, deviation 1
  const auto around = [&x](NormPlace norm) {
    TransformerConfig config = tiny_transformer();
    config.norm = norm;
    ParameterSet parameters;
    const Residual residual(parameters, "feed", config);
    Arena arena;
    Scope scope(arena);
    const Tensor y = residual({scope.constant(x)}, nullptr, [](const Var& in) { return scale(in, 10); }).x.value();
    return std::vector<double>(y.span().begin(), y.span().end());
  };
  const std::vector<double> before = around(NormPlace::kBefore), after = around(NormPlace::kAfter);
  const double expected_before[] = {1 - 10, 3 + 10}, expected_after[] = {-1, 1};  // of 11 and 33
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(before[i], expected_before[i % 2], 1e-3);
    EXPECT_NEAR(after[i], expected_after[i % 2], 1e-3);
  }
}

TEST(Residual, ComputesTheNormOfTheNextSublayer) {
  for (const NormPlace place : {NormPlace::kBefore, NormPlace::kAfter}) {
    TransformerConfig config = tiny_transformer();
    config.norm = place;
    ParameterSet parameters;
    const Residual one(parameters, "one", config), other(parameters, "other", config);
    parameters.find("other.norm.gain")->value.fill(2);
    Arena arena;
    Scope scope(arena);
    const Var x = scope.constant(Tensor::of({2, 4}, {1, 3, 2, 7, -1, 0.5, 3, 4}));  // [2,4]
    const auto f = [](const Var& in) { return scale(in, 10); };
    const Var alone = other({one({x}, nullptr, f).x}, nullptr, f).x;          // [2,4]
    const Var handed = other(one({x}, other.first_norm(), f), nullptr, f).x;  // [2,4]
    EXPECT_TRUE(std::ranges::equal(alone.value().span(), handed.value().span()));
    EXPECT_EQ(static_cast<bool>(one({x}, other.first_norm(), f).norm), place == NormPlace::kBefore);
  }
}

TEST(Residual, DropsOutTheSublayersOutputAndNotTheResidual) {
  TransformerConfig config = tiny_transformer();
  config.dropout = 0.5;
  ParameterSet parameters;
  const Residual residual(parameters, "feed", config);
  GradientSet gradients(parameters);
  Tape tape(parameters);
  tape.start(gradients, Rng(1));
  Arena arena;
  Scope scope(arena, tape);
  Tensor x = Tensor::zeros({100, 4}), ones = Tensor::zeros({100, 4});
  x.fill(7);
  ones.fill(1);
  const Tensor y = residual({scope.constant(x)}, nullptr, [&](const Var&) { return scope.constant(ones); }).x.value();
  EXPECT_NEAR(static_cast<double>(std::ranges::count(y.span(), Real{7})), 200, 60);
  EXPECT_EQ(std::ranges::count(y.span(), Real{7}) + std::ranges::count(y.span(), Real{7 + 2}), 400);
}

// Without a tape, sublayers release their temporaries and the rows between them.
TEST(TransformerStack, NeedsNoMoreMemoryForValuesWithMoreLayers) {
  const Segments sentences = Segments::from_lengths(std::vector<Index>(1000, 5));
  for (const NormPlace place : {NormPlace::kBefore, NormPlace::kAfter}) {
    const auto bytes = [&](Index layers) {
      TransformerConfig config = tiny_transformer();
      config.norm = place;
      config.encoder_layers = layers;
      ParameterSet parameters;
      const TransformerStack stack(parameters, "encoder", config, BlockKind::kEncoder, Rng(1));
      Arena arena;
      Scope scope(arena);
      const Tensor x = Tensor::zeros({sentences.rows(), config.hidden});  // [R,H]
      stack({.x = {scope.constant(x), sentences}, .attention = KeepAttention::kNo});
      return static_cast<Index>(arena.used_bytes());
    };
    const Index rows = sentences.rows() * tiny_transformer().hidden * static_cast<Index>(sizeof(Real));
    EXPECT_LT(bytes(8) - bytes(3), rows);
  }
}

}  // namespace
}  // namespace dhyan
