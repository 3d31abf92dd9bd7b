#include "kernels/int8/int8_matrix.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/thread_pool.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

struct Quantized {
  std::vector<std::int8_t> values;
  std::vector<float> scales;
  Index rows, cols;
  bool transposed;

  explicit Quantized(ConstMatrix w)
      : values(static_cast<std::size_t>(w.rows * w.cols)),
        scales(static_cast<std::size_t>(w.n())),
        rows(w.rows),
        cols(w.cols),
        transposed(w.transposed) {
    quantize(w, values, scales);
  }
  Int8Weight weight() const { return {values.data(), rows, cols, transposed, scales}; }
  int at(Index k, Index j) const { return values[static_cast<std::size_t>(transposed ? j * cols + k : k * cols + j)]; }
};

// The int8 GEMM by plain loops.
std::vector<Real> int8_by_loops(const Matrix& x, const Quantized& w, const std::vector<Real>& bias) {
  std::vector<Real> y;
  for (Index r = 0; r < x.rows; ++r) {
    Real largest = 0;
    for (Index k = 0; k < x.cols; ++k) largest = std::max(largest, std::abs(x.row(r)[k]));
    const Real inverse = largest > 0 ? 127 / largest : 0;
    const float scale = static_cast<float>(largest) / 127;
    for (Index j = 0; j < std::ssize(bias); ++j) {
      int sum = 0;
      for (Index k = 0; k < x.cols; ++k) sum += static_cast<int>(std::nearbyint(x.row(r)[k] * inverse)) * w.at(k, j);
      y.push_back(static_cast<float>(sum) * (scale * w.scales[static_cast<std::size_t>(j)]) +
                  bias[static_cast<std::size_t>(j)]);
    }
  }
  return y;
}

TEST(Int8Matrix, GivesTheBytesOfPlainLoopsOnEveryTarget) {
  Rng rng(1);
  for (const auto& [I, rows] : std::vector<std::pair<Index, Index>>{
           {1, 14}, {3, 1}, {4, 2}, {33, 16}, {64, 33}, {65, 17}, {128, 14}, {200, 70}}) {
    for (const Index O : {1, 15, 16, 17, 32, 70}) {
      for (const bool transposed : {false, true}) {
        std::vector<Real> values = random_values(rng, I * O);
        const ConstMatrix stored = matrix_of(values, transposed ? I : O);
        const Quantized w(transposed ? stored.t() : stored);
        PaddedRows x(rng, rows, I);
        const std::vector<Real> bias = random_values(rng, O), expected = int8_by_loops(x.matrix(), w, bias);
        on_every_target([&] {
          std::vector<Real> y(expected.size());
          Int8Matrix(w.weight()).multiply(x.matrix(), bias, matrix_of(y, O));
          EXPECT_EQ(y, expected) << rows << " rows, " << I << " to " << O;
        });
      }
    }
  }
}

// [bogoychev2020]: round(x a), at most 127; y = sum / (a b).
TEST(Int8Matrix, QuantizesActivationsByAGivenMultiplierOnEveryTarget) {
  Rng rng(6);
  for (const auto& [I, rows] : std::vector<std::pair<Index, Index>>{{1, 1}, {63, 14}, {130, 3}, {256, 40}}) {
    constexpr Index O = 33;
    constexpr float kMultiplier = 50.5F;  // of values up to 3, so that many exceed 127
    std::vector<Real> values = random_values(rng, I * O);
    const Quantized w(matrix_of(values, O));
    PaddedRows x(rng, rows, I);
    const std::vector<Real> bias = random_values(rng, O);
    std::vector<Real> expected;
    for (Index r = 0; r < rows; ++r) {
      for (Index j = 0; j < O; ++j) {
        int sum = 0;
        for (Index k = 0; k < I; ++k) {
          const double whole = std::nearbyint(static_cast<double>(x.matrix().row(r)[k]) * double{kMultiplier});
          sum += static_cast<int>(std::clamp(whole, -127.0, 127.0)) * w.at(k, j);
        }
        expected.push_back(static_cast<float>(sum) * (1 / kMultiplier * w.scales[static_cast<std::size_t>(j)]) +
                           bias[static_cast<std::size_t>(j)]);
      }
    }
    on_every_target([&] {
      Int8Weight weight = w.weight();
      weight.activation = kMultiplier;
      std::vector<Real> y(expected.size());
      Int8Matrix(weight).multiply(x.matrix(), bias, matrix_of(y, O));
      EXPECT_EQ(y, expected) << rows << " rows of " << I;
    });
  }
}

TEST(Int8Matrix, GivesTheSameBytesInSharedMemory) {
  Rng rng(7);
  PaddedRows x(rng, 14, 70), w(rng, 70, 40), other(rng, 70, 33);
  on_every_target([&] {
    const Quantized first(w.matrix()), second(other.matrix());
    const Index size = Int8Matrix::panel_quads(first.weight());
    std::shared_ptr<std::int32_t[]> memory = panel_memory(size + Int8Matrix::panel_quads(second.weight()));
    const Int8Matrix a(first.weight(), memory), b(second.weight(), {memory, memory.get() + size});
    memory.reset();
    for (const auto& [beside, alone] : {std::pair{&a, &first}, std::pair{&b, &second}}) {
      std::vector<Real> y(static_cast<std::size_t>(14 * alone->cols)), expected(y.size());
      beside->multiply(x.matrix(), {}, matrix_of(y, alone->cols));
      Int8Matrix(alone->weight()).multiply(x.matrix(), {}, matrix_of(expected, alone->cols));
      EXPECT_EQ(y, expected);
    }
  });
}

TEST(Int8Matrix, GivesTheSameBytesWithAnyNumberOfThreads) {
  constexpr Index M = 5, I = 151, O = 1003;
  Rng rng(2);
  PaddedRows x(rng, M, I), w(rng, I, O);
  const std::vector<Real> bias = random_values(rng, O);
  const Quantized stored(w.matrix());
  on_every_target([&] {
    const Int8Matrix weight(stored.weight());
    std::vector<std::uint8_t> memory(static_cast<std::size_t>(quantized_bytes(x.matrix())));
    const QuantizedRows quantized = quantize_rows(x.matrix(), memory.data());
    std::vector<Real> alone(M * O), now(M * O);
    weight.multiply(x.matrix(), bias, matrix_of(alone, O));
    for (const int threads : {1, 2, 3}) {
      ThreadPool pool(threads);
      pool.run(1, [&](Index, int worker) {
        multiply_partitioned(weight, x.matrix(), bias, matrix_of(now, O), &pool.intra_op(worker));
        EXPECT_EQ(now, alone) << threads << " threads";
        multiply_partitioned(weight, quantized, bias, matrix_of(now, O), &pool.intra_op(worker));
        EXPECT_EQ(now, alone) << threads << " threads, of quantized rows";
      });
    }
  });
}

TEST(Int8Matrix, IsCloseToTheFloatGemm) {
  Rng rng(2);
  std::vector<Real> values = random_values(rng, 128 * 40, -1, 1);
  PaddedRows x(rng, 9, 128);
  const Quantized w(ConstMatrix(matrix_of(values, 40)));
  std::vector<Real> y(9 * 40);
  Int8Matrix(w.weight()).multiply(x.matrix(), {}, matrix_of(y, 40));
  for (Index r = 0; r < 9; ++r) {
    for (Index j = 0; j < 40; ++j) {
      double exact = 0;
      for (Index k = 0; k < 128; ++k) exact += x.at(r, k) * values[static_cast<std::size_t>(k * 40 + j)];
      EXPECT_NEAR(y[static_cast<std::size_t>(r * 40 + j)], exact, 0.6);  // the standard deviation is about 11
    }
  }
}

TEST(Int8Matrix, GivesZeroForRowsAndWeightsOfZeros) {
  std::vector<Real> zeros(8, 0), y(4, 5);
  const Quantized w(ConstMatrix(matrix_of(zeros, 2)));
  Int8Matrix(w.weight()).multiply(matrix_of(zeros, 4), {}, matrix_of(y, 2));
  EXPECT_EQ(y, std::vector<Real>(4, 0));
}

// The largest weight of an output exactly, the others within half a step.
TEST(Int8Matrix, DequantizesItsColumns) {
  Rng rng(3);
  for (const Index I : {1, 6, 20}) {
    for (const Index O : {7, 40}) {
      std::vector<Real> values = random_values(rng, I * O);
      values[0] = 100;  // must not affect other outputs' scales
      for (const bool transposed : {false, true}) {
        const ConstMatrix stored = matrix_of(values, transposed ? I : O), read = transposed ? stored.t() : stored;
        const Quantized w(read);
        const std::vector<RowId> ids{static_cast<RowId>(O - 1), 0, 3};
        on_every_target([&] {
          std::vector<Real> back(ids.size() * static_cast<std::size_t>(I));
          Int8Matrix(w.weight()).columns(ids, matrix_of(back, I));
          for (std::size_t i = 0; i < back.size(); ++i) {
            const Index k = static_cast<Index>(i) % I, j = ids[i / static_cast<std::size_t>(I)];
            const float scale = w.scales[static_cast<std::size_t>(j)];
            EXPECT_NEAR(back[i], values[static_cast<std::size_t>(transposed ? j * I + k : k * O + j)], 0.5001 * scale);
            EXPECT_EQ(back[i], static_cast<Real>(w.at(k, j)) * scale);
          }
          EXPECT_NEAR(back[static_cast<std::size_t>(I)], 100, 1e-4);
        });
      }
    }
  }
}

TEST(Int8Matrix, RefusesMoreInputsThan32BitsCanSum) {
  const std::vector<std::int8_t> values(kMaxInt8Inputs + 1, 127);
  const float scale = 1;
  const auto matrix_of_inputs = [&](Index n) {
    return Int8Matrix({.values = values.data(), .rows = n, .cols = 1, .scales = std::span(&scale, 1)});
  };
  EXPECT_THROW(matrix_of_inputs(kMaxInt8Inputs + 1), ShapeError);
  std::vector<Real> x(kMaxInt8Inputs, 1), y(1);
  matrix_of_inputs(kMaxInt8Inputs).multiply(matrix_of(x, kMaxInt8Inputs), {}, matrix_of(y, 1));
  EXPECT_NEAR(y[0], 127.0 * kMaxInt8Inputs, 1);
}

TEST(Int8Matrix, RefusesShapesThatDoNotMatch) {
  std::vector<Real> values(6, 1), y(4);
  const Quantized w(ConstMatrix(matrix_of(values, 2)));
  EXPECT_THROW(Int8Matrix(w.weight()).multiply(matrix_of(values, 2), {}, matrix_of(y, 2)), ShapeError);
}

}  // namespace
}  // namespace dhyan::kernels
