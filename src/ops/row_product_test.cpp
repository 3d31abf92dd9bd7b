#include "ops/row_product.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/thread_pool.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/packed_weight.h"
#include "ops/op_cache.h"
#include "ops/prepack.h"
#include "ops/testing/int8_parameter.h"

namespace dhyan {
namespace {

enum class Weight { kChanging, kPrepacked };

Tensor row_product_of(const Tensor& x, const Tensor& w, WeightSide side, Weight kind, const Tensor& bias = {},
                      IntraOpThreads* intra_op = nullptr) {
  ParameterSet parameters;
  Parameter& parameter = parameters.add("w", w.shape());
  parameter.value = w;
  if (kind == Weight::kPrepacked) prepack(parameters);
  Arena arena;
  Scope scope(arena, intra_op);
  const Tensor y = Tensor::zeros({x.rows(), side == WeightSide::kTransposed ? w.rows() : w.cols()});
  row_product(x, scope.parameter(parameter), side, bias.empty() ? Var() : scope.constant(bias), y);
  return y;
}

TEST(RowProduct, IsTheProduct) {
  Rng rng(1);
  const Tensor x = random_tensor(rng, {600, 7}), w = random_tensor(rng, {7, 5}), expected = Tensor::zeros({600, 5});
  kernels::gemm_simple(x.matrix(), w.matrix(), expected.matrix());
  const Tensor bias = random_tensor(rng, {5});
  const Tensor y = row_product_of(x, w, WeightSide::kAsStored, Weight::kChanging);
  const Tensor with_bias = row_product_of(x, w, WeightSide::kAsStored, Weight::kChanging, bias);
  for (Index i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(y.data()[i], expected.data()[i], 1e-5);
    EXPECT_EQ(with_bias.data()[i], y.data()[i] + bias.data()[i % 5]);
  }
}

TEST(RowProduct, OfAPrepackedWeightIsTheSameBytes) {
  Rng rng(3);
  const Tensor x = random_tensor(rng, {9, 700}), w = random_tensor(rng, {700, 35}), bias = random_tensor(rng, {35});
  const Tensor changing = row_product_of(x, w, WeightSide::kAsStored, Weight::kChanging, bias);
  const kernels::PackedWeight prepacked;
  for (int again = 0; again < 10; ++again) {  // packed on the way
    const Tensor y = Tensor::zeros({9, 35});
    prepacked.multiply(x.matrix(), w.matrix(), bias.span(), y.matrix());
    EXPECT_TRUE(std::ranges::equal(changing.span(), y.span())) << again;
  }
}

TEST(RowProduct, QuantizesAValueOnceForSeveralInt8Weights) {
  Rng rng(5);
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(random_tensor(rng, {14, 30}));
  const kernels::QuantizedRows* quantized = nullptr;
  for (const Index O : {7, 40}) {
    const Tensor w = random_tensor(rng, {30, O}), bias = random_tensor(rng, {O});
    Parameter parameter{.name = "w", .value = w};
    make_int8(parameter);
    const Var weight = scope.parameter(parameter);
    const Tensor apart = Tensor::zeros({14, O}), shared = Tensor::zeros({14, O});
    row_product(x.value(), weight, WeightSide::kAsStored, scope.constant(bias), apart);
    row_product(x, weight, WeightSide::kAsStored, scope.constant(bias), shared);
    EXPECT_TRUE(std::ranges::equal(apart.span(), shared.span()));
    EXPECT_TRUE(quantized == nullptr || quantized == op_cache(x).quantized_rows);
    quantized = op_cache(x).quantized_rows;
    EXPECT_NE(quantized, nullptr);
  }
}

TEST(RowProduct, WithIntraOpThreadsIsTheSameBytes) {
  Rng rng(4);
  const Tensor x = random_tensor(rng, {9, 700}), w = random_tensor(rng, {700, 350});
  const Tensor alone = row_product_of(x, w, WeightSide::kAsStored, Weight::kPrepacked);
  ThreadPool pool(3);
  pool.run(1, [&](Index, int worker) {
    IntraOpThreads& intra_op = pool.intra_op(worker);
    const Tensor shared = row_product_of(x, w, WeightSide::kAsStored, Weight::kPrepacked, {}, &intra_op);
    EXPECT_TRUE(std::ranges::equal(shared.span(), alone.span()));
  });
}

TEST(RowProduct, GivesARowTheSameBytesInAnyBatch) {
  const Index I = 1000, O = 24;
  Rng rng(2);
  const Tensor x = random_tensor(rng, {1100, I}), w = random_tensor(rng, {I, O}),
               transposed = random_tensor(rng, {O, I});
  for (const WeightSide side : {WeightSide::kAsStored, WeightSide::kTransposed}) {
    const Tensor& weight = side == WeightSide::kAsStored ? w : transposed;
    const Tensor alone = row_product_of(x.row_range(0, 1), weight, side, Weight::kPrepacked);
    for (const Index rows : {2, 5, 15, 16, 17, 64, 511, 512, 513, 530, 1100}) {
      const Tensor together = row_product_of(x.row_range(0, rows), weight, side, Weight::kPrepacked);
      EXPECT_TRUE(std::ranges::equal(together.row(0), alone.row(0))) << rows << " rows";
    }
  }
}

TEST(RowProduct, OfNoRowsWritesNothing) {
  const Tensor x = Tensor::zeros({0, 3}), w = Tensor::zeros({3, 2});
  EXPECT_EQ(row_product_of(x, w, WeightSide::kAsStored, Weight::kPrepacked).rows(), 0);
}

}  // namespace
}  // namespace dhyan
