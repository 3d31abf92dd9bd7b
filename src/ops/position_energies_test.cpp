#include "ops/position_energies.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

TEST(PositionEnergiesOp, HaveTheRightJacobian) {
  Rng rng(1);
  EXPECT_EQ(jacobian_mismatch([](Scope&, const auto& in) { return position_energies(in[0], kRagged); },
                              {random_tensor(rng, {6, 2 * 3})}),
            "");
}

TEST(PositionEnergiesOp, BeyondTheKnownPositionsGiveWeightZeroAndNoGradient) {
  Rng rng(2);
  const AttentionLayout layout{Segments::one(2), Segments::one(5), 1};  // three of five positions are known
  EXPECT_EQ(jacobian_mismatch(
                [&](Scope&, const auto& in) { return segment_softmax(position_energies(in[0], layout), layout); },
                {random_tensor(rng, {2, 3})}),
            "");
  Arena arena;
  Scope scope(arena);
  const Var p = segment_softmax(position_energies(scope.constant(Tensor::zeros({2, 3})), layout), layout);  // [2*5]
  for (const std::size_t beyond : {3u, 4u, 8u, 9u}) EXPECT_EQ(p.value().span()[beyond], 0);
  EXPECT_NEAR(p.value().span()[0], 1.0 / 3, 1e-6);
}

TEST(LogGaussiansOp, HaveTheRightJacobian) {
  Rng rng(3);
  EXPECT_EQ(jacobian_mismatch([](Scope&, const auto& in) { return log_gaussians(in[0], 2, kRagged); },
                              {random_tensor(rng, {6, 1}, 0, 1)}),
            "");
}

TEST(PositionOps, RefuseWrongShapes) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&](Shape shape) { return scope.constant(Tensor::zeros(shape)); };
  const AttentionLayout layout{Segments::one(2), Segments::one(3), 2};
  EXPECT_EQ(thrown<ShapeError>([&] {
              position_energies(zeros({2, 5}), layout);
            }),
            "position_energies: by_position is [2,5]; its columns cannot be shared by 2 heads");
  EXPECT_EQ(thrown<ShapeError>([&] { log_gaussians(zeros({2}), 1, layout); }),
            "log_gaussians: centres is [2], expected [2,1]");
  EXPECT_EQ(thrown<ConfigError>([&] {
              log_gaussians(zeros({2, 1}), 0, layout);
            }),
            "log_gaussians: sigma is 0, expected more than 0");
}

}  // namespace
}  // namespace dhyan
