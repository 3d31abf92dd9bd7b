#include "ops/cast.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "autograd/testing/recording.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "kernels/bfloat16/bfloat16.h"
#include "ops/attention_products.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

Tensor rounded(const Tensor& x) {
  const Tensor y = x.clone();
  for (Real& value : y.span()) value = kernels::rounded_to_bfloat16(value);
  return y;
}

TEST(Cast, ToBfloat16GivesAttentionTheRoundedValues) {
  Rng rng(1);
  for (const Index width : {6, 32, 64, 128}) {
    Arena arena;
    Scope scope(arena);
    const auto random = [&](const Shape& shape) { return scope.constant(random_tensor(rng, shape)); };
    const Var queries = random({6, width}), x = random({6, width}), weights = random({kRagged.count()});
    const Var plain = scope.constant(rounded(x.value())), kept = cast(x, Dtype::kBfloat16);
    EXPECT_EQ(kept.shape(), x.shape());
    EXPECT_EQ(kept.value().dtype(), Dtype::kBfloat16);
    EXPECT_EQ(values(energies(queries, kept, kRagged, 0.5)), values(energies(queries, plain, kRagged, 0.5)));
    EXPECT_EQ(values(contexts(weights, kept, kRagged)), values(contexts(weights, plain, kRagged)));
  }
}

TEST(Cast, RefusesATape) {
  Recording recording;
  EXPECT_EQ(thrown<UsageError>([&] {
              cast(recording.scope.constant(Tensor::zeros({2, 3})), Dtype::kBfloat16);
            }),
            "cast: bfloat16 values have no gradient, and the scope has a tape");
}

TEST(Cast, RefusesAVectorAndADtypeThatItCannotWrite) {
  Arena arena;
  Scope scope(arena);
  EXPECT_THROW(cast(scope.constant(Tensor::zeros({3})), Dtype::kBfloat16), ShapeError);
  EXPECT_EQ(thrown<DtypeError>([&] {
              cast(scope.constant(Tensor::zeros({2, 3})), Dtype::kInt8);
            }),
            "cast: cannot write int8 values");
}

TEST(Cast, ToItsOwnDtypeIsTheSameValue) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({2, 3})), y = cast(x, Dtype::kBfloat16);
  EXPECT_EQ(&cast(x, Dtype::kReal).node(), &x.node());
  EXPECT_EQ(&cast(y, Dtype::kBfloat16).node(), &y.node());
  EXPECT_EQ(thrown<DtypeError>([&] { cast(y, Dtype::kReal); }), "cast: cannot read bfloat16 values");
}

}  // namespace
}  // namespace dhyan
