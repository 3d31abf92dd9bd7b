#include "kernels/int8/top_k_prefilter.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/thread_pool.h"
#include "kernels/gemm/packed_matrix.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using TopKEntries = std::vector<Ranked>;

TopKEntries top_k_of_gemm(const Matrix& x, const ConstMatrix& w, const std::vector<Real>& bias, Index k,
                          Precision precision) {
  std::vector<Real> z(static_cast<std::size_t>(x.rows * w.n()));
  PackedMatrix(w, precision).multiply(x, bias, matrix_of(z, w.n()));
  TopKEntries top(static_cast<std::size_t>(x.rows * k));
  top_k_rows(matrix_of(z, w.n()), k, top);
  return top;
}

TopKEntries by_prefilter(const Matrix& x, const ConstMatrix& w, const std::vector<Real>& bias, Index k,
                         Precision precision = Precision::kFull) {
  TopKEntries top(static_cast<std::size_t>(x.rows * k));
  TopKPrefilter(w).top_k(x, bias, top, {.precision = precision});
  return top;
}

void expect_equal(const Matrix& x, const ConstMatrix& w, const std::vector<Real>& bias) {
  on_every_target([&] {
    for (const Index k : {1, 2, 4, 20}) {
      if (k > w.n()) continue;
      for (const Precision precision : {Precision::kFull, Precision::kSplitBfloat16}) {
        EXPECT_EQ(by_prefilter(x, w, bias, k, precision), top_k_of_gemm(x, w, bias, k, precision))
            << k << " of " << w.n();
      }
    }
  });
}

TEST(TopKPrefilter, EqualsTopKOfTheWholeGemmToTheLastBit) {
  Rng rng(1);
  for (const Index I : {1, 7, 64, 128}) {
    for (const Index O : {1, 5, 16, 33, 700}) {
      PaddedRows x(rng, 13, I), w(rng, O, I);
      expect_equal(x.matrix(), w.matrix().t(), {});
      expect_equal(x.matrix(), w.matrix().t(), random_values(rng, O));
    }
  }
}

TEST(TopKPrefilter, AmongListedOutputsEqualsTopKOfTheirColumnsToTheLastBit) {
  Rng rng(9);
  for (const Index I : {7, 64, 130}) {
    constexpr Index O = 300, k = 3;
    PaddedRows x(rng, 6, I), w(rng, O, I);
    std::vector<RowId> few{0, 5, 299}, some, all;
    for (RowId j = 0; j < O; ++j) all.push_back(j);
    for (RowId j = 3; j < O; j += 4) some.push_back(j);
    const std::vector<ListedColumns> lists{{0, 1, few}, {1, 4, some}, {4, 6, all}};
    for (const std::vector<Real>& bias : {random_values(rng, O), std::vector<Real>()}) {
      on_every_target([&] {
        std::vector<Real> z(6 * O);
        PackedMatrix(w.matrix().t()).multiply(x.matrix(), bias, matrix_of(z, O));
        TopKEntries expected;
        for (const auto& [begin, end, columns] : lists) {
          for (Index r = begin; r < end; ++r) {
            std::vector<Real> listed;
            for (const RowId j : columns) listed.push_back(z[static_cast<std::size_t>(r * O + j)]);
            TopKEntries best(k);
            top_k_rows({listed.data(), 1, std::ssize(listed), std::ssize(listed)}, k, best);
            for (const Ranked& one : best)
              expected.push_back({columns[static_cast<std::size_t>(one.column)], one.value});
          }
        }
        TopKEntries top(expected.size());
        TopKPrefilter(w.matrix().t()).top_k_listed(x.matrix(), bias, lists, top);
        EXPECT_EQ(top, expected) << I;
      });
    }
  }
}

// More than one block of columns, on one thread and on several.
TEST(TopKPrefilter, IsTheSameByBlocksOfColumnsAndOnSeveralThreads) {
  Rng rng(8);
  PaddedRows x(rng, 50, 16), w(rng, 2000, 16);
  const std::vector<Real> bias = random_values(rng, 2000);
  expect_equal(x.matrix(), w.matrix().t(), bias);
  const TopKPrefilter prefilter(w.matrix().t());
  ThreadPool pool(3);
  pool.run(1, [&](Index, int worker) {
    TopKEntries top(50 * 3);
    prefilter.top_k(x.matrix(), bias, top, {.intra_op = &pool.intra_op(worker)});
    EXPECT_EQ(top, top_k_of_gemm(x.matrix(), w.matrix().t(), bias, 3, Precision::kFull));
  });
}

// Outputs that int8 cannot distinguish.
TEST(TopKPrefilter, DistinguishesOutputsThatAreAlmostEqual) {
  Rng rng(2);
  std::vector<Real> w = random_values(rng, 200 * 32, -1, 1);
  for (std::size_t j = 1; j < 200; ++j) {
    for (std::size_t k = 0; k < 32; ++k)
      w[j * 32 + k] = w[k] * (j % 3 == 0 ? Real{1} : 1 + static_cast<Real>(j) * 1e-6F);
  }
  PaddedRows x(rng, 9, 32);
  expect_equal(x.matrix(), matrix_of(w, 32).t(), {});
}

TEST(TopKPrefilter, IsRightForOutputsOfVeryDifferentSize) {
  Rng rng(3);
  std::vector<Real> w = random_values(rng, 300 * 24);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] *= std::pow(Real{10}, static_cast<Real>(i / 24 % 7) - 4);
  std::vector<Real> bias = random_values(rng, 300);
  for (std::size_t j = 0; j < bias.size(); j += 2) bias[j] *= 1000;
  PaddedRows x(rng, 9, 24);
  expect_equal(x.matrix(), matrix_of(w, 24).t(), bias);
}

TEST(TopKPrefilter, IsRightForRowsAndWeightsOfZeros) {
  Rng rng(4);
  std::vector<Real> zeros(40 * 8, 0), rows = random_values(rng, 16);
  expect_equal(matrix_of(rows, 8), matrix_of(zeros, 8).t(), random_values(rng, 40));
  std::vector<Real> w = random_values(rng, 40 * 8), nothing(16, 0);
  expect_equal(matrix_of(nothing, 8), matrix_of(w, 8).t(), {});
}

TEST(TopKPrefilter, ReportsNan) {
  Rng rng(5);
  std::vector<Real> w = random_values(rng, 50 * 8), x(8, std::numeric_limits<Real>::quiet_NaN());
  EXPECT_TRUE(std::isnan(by_prefilter(matrix_of(x, 8), matrix_of(w, 8).t(), {}, 2).front().value));
}

TEST(TopKPrefilter, ReportsASingleNanOutput) {
  Rng rng(7);
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  std::vector<Real> w = random_values(rng, 50 * 8), x = random_values(rng, 8), bias = random_values(rng, 50);
  on_every_target([&] {
    std::vector<Real> bad_bias = bias, bad_w = w;
    bad_bias[30] = bad_w[30 * 8 + 3] = nan;
    EXPECT_TRUE(std::isnan(by_prefilter(matrix_of(x, 8), matrix_of(w, 8).t(), bad_bias, 2).front().value));
    EXPECT_TRUE(std::isnan(by_prefilter(matrix_of(x, 8), matrix_of(bad_w, 8).t(), bias, 2).front().value));
  });
}

TEST(TopKPrefilter, RefusesAWeightThatIsNotStoredByOutput) {
  Rng rng(6);
  std::vector<Real> w = random_values(rng, 16);
  EXPECT_THROW(TopKPrefilter(matrix_of(w, 4)), UsageError);
}

}  // namespace
}  // namespace dhyan::kernels
