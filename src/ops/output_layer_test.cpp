#include "ops/output_layer.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/thrown.h"

namespace dhyan {
namespace {

TEST(OutputLogits, MatchHandValues) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({1, 2}, {2, 3})), w = scope.constant(Tensor::of({3, 2}, {1, 0, 0, 1, 1, -1}));
  const auto logits = [&](const Var& bias) {
    const Var z = output_logits(x, {w, bias});
    return std::vector<Real>(z.value().span().begin(), z.value().span().end());
  };
  EXPECT_EQ(logits({}), (std::vector<Real>{2, 3, -1}));
  EXPECT_EQ(logits(scope.constant(Tensor::of({3}, {10, 20, 30}))), (std::vector<Real>{12, 23, 29}));
}

TEST(OutputLogits, HaveTheRightJacobianWithAndWithoutBias) {
  Rng rng(7);
  const std::vector<Tensor> inputs{random_tensor(rng, {2, 3}), random_tensor(rng, {4, 3}), random_tensor(rng, {4})};
  for (const bool biased : {true, false}) {
    EXPECT_EQ(jacobian_mismatch(
                  [&](Scope&, const auto& in) {
                    return output_logits(in[0], {in[1], biased ? in[2] : Var()});
                  },
                  inputs),
              "");
  }
}

TEST(OutputLogits, SayWhatDoesNotFit) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&](const Shape& shape) { return scope.constant(Tensor::zeros(shape)); };
  EXPECT_EQ(thrown<ShapeError>([&] {
              output_logits(zeros({2, 3}), {zeros({4, 2}), {}});
            }),
            "output_logits: x is [2,3], weight is [4,2]; widths differ");
}

}  // namespace
}  // namespace dhyan
