#include "ops/bfloat16_rows.h"

#include <gtest/gtest.h>

#include "autograd/testing/recording.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/attention_products.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

Tensor rounded(const Tensor& x) {
  const Tensor y = x.clone();
  for (Real& number : y.span()) number = kernels::rounded_to_bfloat16(number);
  return y;
}

TEST(Bfloat16Rows, AreReadByAttentionAsTheNumbersTheyWereRoundedTo) {
  Rng rng(1);
  for (const Index width : {6, 32, 64, 128}) {
    Arena arena;
    Scope scope(arena);
    const auto random = [&](const Shape& shape) { return scope.constant(random_tensor(rng, shape)); };
    const Var queries = random({6, width}), x = random({6, width}), weights = random({kRagged.count()});
    const Var plain = scope.constant(rounded(x.value())), kept = to_bfloat16(x);
    EXPECT_EQ(kept.shape(), x.shape());
    EXPECT_EQ(values(energies(queries, kept, kRagged, 0.5)), values(energies(queries, plain, kRagged, 0.5)));
    EXPECT_EQ(values(contexts(weights, kept, kRagged)), values(contexts(weights, plain, kRagged)));
  }
}

TEST(Bfloat16Rows, AreNotMadeOnATape) {
  Recording recording;
  EXPECT_EQ(thrown<UsageError>([&] {
              to_bfloat16(recording.scope.constant(Tensor::zeros({2, 3})));
            }),
            "to_bfloat16: rows of 16 bits have no gradient, and the scope has a tape");
}

TEST(Bfloat16Rows, AreOfAMatrix) {
  Arena arena;
  Scope scope(arena);
  EXPECT_THROW(to_bfloat16(scope.constant(Tensor::zeros({3}))), ShapeError);
}

}  // namespace
}  // namespace dhyan
