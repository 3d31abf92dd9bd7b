#include "kernels/int8/int8_top_k.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/thread_pool.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using TopKEntries = std::vector<Ranked>;

Int8Matrix quantized(const ConstMatrix& w) {
  std::vector<std::int8_t> values(static_cast<std::size_t>(w.rows * w.cols));
  std::vector<float> scales(static_cast<std::size_t>(w.n()));
  quantize(w, values, scales);
  return Int8Matrix({values.data(), w.rows, w.cols, w.transposed, scales});
}

TopKEntries top_k_of_gemm(const Int8Matrix& w, const Matrix& x, const std::vector<Real>& bias, Index k) {
  std::vector<Real> y(static_cast<std::size_t>(x.rows * w.outputs()));
  w.multiply(x, bias, matrix_of(y, w.outputs()));
  TopKEntries top(static_cast<std::size_t>(x.rows * k));
  top_k_rows(matrix_of(y, w.outputs()), k, top);
  return top;
}

TopKEntries int8_top_k_of(const Int8Matrix& w, const Matrix& x, const std::vector<Real>& bias, Index k,
                          IntraOpThreads* intra_op = nullptr) {
  TopKEntries top(static_cast<std::size_t>(x.rows * k));
  int8_top_k(w, x, bias, top, intra_op);
  return top;
}

TEST(Int8TopK, EqualsTopKOfTheWholeGemm) {
  Rng rng(1);
  for (const Index rows : {1, 2, 12, 13, 32, 50}) {
    for (const Index O : {1, 15, 32, 33, 64, 300}) {
      PaddedRows x(rng, rows, 70), w(rng, O, 70);
      for (const std::vector<Real>& bias : {random_values(rng, O), std::vector<Real>()}) {
        on_every_target([&] {
          const Int8Matrix matrix = quantized(w.matrix().t());
          for (const Index k : {1, 3, 6, 40}) {
            if (k > O) continue;
            EXPECT_EQ(int8_top_k_of(matrix, x.matrix(), bias, k), top_k_of_gemm(matrix, x.matrix(), bias, k))
                << rows << " rows, " << k << " of " << O;
          }
        });
      }
    }
  }
}

TEST(Int8TopK, GivesEqualValuesInTheOrderOfTheirColumns) {
  Rng rng(2);
  std::vector<Real> w = random_values(rng, 400 * 9);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = w[i % 45];  // five outputs, repeated
  PaddedRows x(rng, 14, 9);
  on_every_target([&] {
    const Int8Matrix matrix = quantized(matrix_of(w, 9).t());
    for (const Index k : {1, 3, 90}) {
      EXPECT_EQ(int8_top_k_of(matrix, x.matrix(), {}, k), top_k_of_gemm(matrix, x.matrix(), {}, k)) << k;
    }
  });
}

TEST(Int8TopK, IsTheSameOnSeveralThreads) {
  Rng rng(3);
  std::vector<Real> w = random_values(rng, 4000 * 64);
  std::copy_n(w.begin(), w.size() / 2, w.begin() + std::ssize(w) / 2);  // equal values in other partitions
  PaddedRows x(rng, 33, 64);
  const Int8Matrix matrix = quantized(matrix_of(w, 64).t());
  const std::vector<Real> none;
  ThreadPool pool(3);
  pool.run(1, [&](Index, int worker) {
    for (const Index k : {1, 3, 500}) {
      EXPECT_EQ(int8_top_k_of(matrix, x.matrix(), none, k, &pool.intra_op(worker)),
                top_k_of_gemm(matrix, x.matrix(), none, k));
    }
  });
}

// Rows with fewer than k finite values go through the whole GEMM.
TEST(Int8TopK, GivesNanAndInfinityIfThereIsNothingElse) {
  Rng rng(4);
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity(), kNan = std::numeric_limits<Real>::quiet_NaN();
  PaddedRows x(rng, 14, 8), w(rng, 50, 8);
  on_every_target([&] {
    const Int8Matrix matrix = quantized(w.matrix().t());
    const auto of_bias = [&](const std::vector<Real>& bias) { return int8_top_k_of(matrix, x.matrix(), bias, 2); };
    EXPECT_TRUE(std::isnan(of_bias(std::vector<Real>(50, kNan)).front().value));
    EXPECT_EQ(of_bias(std::vector<Real>(50, kInfinity)).front(), (Ranked{0, kInfinity}));
    EXPECT_EQ(of_bias(std::vector<Real>(50, -kInfinity)).front(), (Ranked{0, -kInfinity}));
    std::vector<Real> one_finite(50, -kInfinity);
    one_finite[40] = 1;
    EXPECT_EQ(of_bias(one_finite), top_k_of_gemm(matrix, x.matrix(), one_finite, 2));
  });
}

// The epilogue bounds two columns of a panel together; NaN or a large scale in one must not hide the other.
TEST(Int8TopK, FindsAColumnWhateverTheColumnItIsBoundedWith) {
  Rng rng(6);
  constexpr Index kOutputs = 96;
  PaddedRows x(rng, 12, 8), w(rng, kOutputs, 8);
  for (Index j = 0; j < kOutputs; ++j) {
    for (Index i = 0; i < 8; ++i) w.matrix().row(j)[i] *= j % 3 == 0 ? Real{40} : j % 3 == 1 ? Real{0} : Real{1};
  }
  on_every_target([&] {
    const Int8Matrix matrix = quantized(w.matrix().t());
    for (const Real level : {Real{-50}, Real{0}, Real{50}}) {  // shifts all values below or above zero
      std::vector<Real> bias(kOutputs, level);
      EXPECT_EQ(int8_top_k_of(matrix, x.matrix(), bias, 1), top_k_of_gemm(matrix, x.matrix(), bias, 1)) << level;
      for (std::size_t nan = 0; nan < bias.size(); ++nan) {
        std::vector<Real> with_nan = bias, without = bias;
        with_nan[nan] = std::numeric_limits<Real>::quiet_NaN();
        without[nan] = -std::numeric_limits<Real>::infinity();
        EXPECT_EQ(int8_top_k_of(matrix, x.matrix(), with_nan, 2), top_k_of_gemm(matrix, x.matrix(), without, 2))
            << level << ", NaN in column " << nan;
      }
    }
  });
}

TEST(Int8TopK, IsEmptyWithoutRows) {
  Rng rng(5);
  PaddedRows x(rng, 0, 8), w(rng, 50, 8);
  EXPECT_TRUE(int8_top_k_of(quantized(w.matrix().t()), x.matrix(), {}, 3).empty());
}

}  // namespace
}  // namespace dhyan::kernels
