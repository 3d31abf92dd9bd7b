#include "ops/bfloat16_rows.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/thrown.h"
#include "kernels/ragged_pairing.h"
#include "ops/attention_products.h"
#include "ops/test_numbers.h"

namespace dhyan {
namespace {

Tensor rounded(const Tensor& x) {
  const Tensor y = x.clone();
  for (Real& number : y.span()) number = kernels::rounded_to_bfloat16(number);
  return y;
}

TEST(Bfloat16Rows, AreReadByAttentionAsTheNumbersTheyWereRoundedTo) {
  const Pairing pairing = kernels::ragged_pairing(2);
  Arena arena;
  Scope scope(arena);
  Rng rng(1);
  const Var queries = scope.constant(random_tensor(rng, {6, 32})), x = scope.constant(random_tensor(rng, {6, 32}));
  const Var weights = scope.constant(random_tensor(rng, {pairing.count()}));
  const Var plain = scope.constant(rounded(x.value())), kept = to_bfloat16(x);
  EXPECT_EQ(kept.shape(), x.shape());
  const auto expect_same = [](const Var& got, const Var& expected) {
    for (Index i = 0; i < got.value().size(); ++i) EXPECT_EQ(got.value().data()[i], expected.value().data()[i]) << i;
  };
  expect_same(energies(queries, kept, pairing, 0.5), energies(queries, plain, pairing, 0.5));
  expect_same(contexts(weights, kept, pairing), contexts(weights, plain, pairing));
}

TEST(Bfloat16Rows, AreNotMadeOnATape) {
  ParameterSet none;
  GradientSet gradients(none);
  Tape tape(none);
  tape.start(gradients, Rng(1));
  Arena arena;
  Scope scope(arena, tape);
  EXPECT_EQ(thrown<UsageError>([&] {
              to_bfloat16(scope.constant(Tensor::zeros({2, 3})));
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
