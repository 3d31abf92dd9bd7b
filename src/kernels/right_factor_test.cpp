#include "kernels/right_factor.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/thread_pool.h"
#include "kernels/in_shares.h"
#include "kernels/int8_matrix.h"
#include "kernels/on_every_target.h"
#include "kernels/test_numbers.h"

namespace dhyan::kernels {
namespace {

TEST(RightFactor, SharesAreWholePanelsAndTogetherAllColumns) {
  for (const Index columns : {0, 1, 31, 32, 33, 100, 2048}) {
    for (const Index of : {1, 2, 3, 7, 80}) {
      Index end = 0;
      for (Index i = 0; i < of; ++i) {
        const ColumnRange some = columns_of({i, of}, columns, 32);
        EXPECT_EQ(some.begin, end);
        EXPECT_TRUE(some.begin % 32 == 0 || some.size == 0);
        end += some.size;
      }
      EXPECT_EQ(end, columns);
    }
  }
}

// What a weight gives in several products one after the other, alone or as the only task of so many threads.
std::vector<std::vector<Real>> products_of(const SettledWeight& weight, PaddedRows& x, const ConstMatrix& w,
                                           std::span<const Real> bias, int threads,
                                           Precision precision = Precision::kFull) {
  std::vector<std::vector<Real>> products(6, std::vector<Real>(static_cast<std::size_t>(x.matrix().rows * w.n())));
  const auto multiply = [&](Helpers* helpers) {
    for (std::vector<Real>& y : products)
      weight.multiply(x.matrix(), w, bias, matrix_of(y, w.n()), {precision, helpers});
  };
  if (threads == 0) {
    multiply(nullptr);
  } else {
    ThreadPool pool(threads);
    pool.run(1, [&](Index, int worker) { multiply(&pool.helpers(worker)); });
  }
  return products;
}

TEST(SettledWeight, GivesTheSameBytesWithAnyNumberOfThreads) {
  constexpr Index I = 151, O = 1003;
  Rng rng(1);
  on_every_target([&] {
    for (const Index M : {5, 30}) {  // in passing; packed once 128 rows were multiplied
      PaddedRows x(rng, M, I), w(rng, I, O), table(rng, O, I);
      const std::vector<Real> bias = random_numbers(rng, O);
      for (const ConstMatrix& weight : {ConstMatrix(w.matrix()), table.matrix().t()}) {
        for (const Precision precision : {Precision::kFull, Precision::kTakenApart}) {
          const auto alone = products_of(SettledWeight(), x, weight, bias, 0, precision);
          EXPECT_EQ(alone.front(), alone.back()) << "packed and not";
          for (const int threads : {1, 2, 3}) {
            const auto products = products_of(SettledWeight(), x, weight, bias, threads, precision);
            EXPECT_EQ(products, alone) << threads << " threads";
          }
        }
      }
    }
  });
}

TEST(SettledWeight, OfEightBitsToo) {
  constexpr Index I = 151, O = 1003;
  Rng rng(2);
  PaddedRows x(rng, 5, I), w(rng, I, O);
  const std::vector<Real> bias = random_numbers(rng, O);
  std::vector<std::int8_t> numbers(static_cast<std::size_t>(I * O));
  std::vector<float> scales(static_cast<std::size_t>(O));
  quantize(w.matrix(), numbers, scales);
  on_every_target([&] {
    const SettledWeight weight(std::make_unique<Int8Matrix>(
        Int8Weight{.numbers = numbers.data(), .rows = I, .cols = O, .transposed = false, .scales = scales}));
    const auto alone = products_of(weight, x, w.matrix(), bias, 0);
    for (const int threads : {1, 2, 3}) {
      EXPECT_EQ(products_of(weight, x, w.matrix(), bias, threads), alone) << threads << " threads";
    }
  });
}

TEST(SettledWeight, NamesShapesThatDoNotFitWhoeverHelps) {
  Rng rng(3);
  PaddedRows x(rng, 3, 400), w(rng, 401, 1000), y(rng, 3, 1000);
  ThreadPool pool(2);
  EXPECT_THROW(pool.run(1,
                        [&](Index, int worker) {
                          SettledWeight().multiply(x.matrix(), w.matrix(), {}, y.matrix(),
                                                   {.helpers = &pool.helpers(worker)});
                        }),
               ShapeError);
}

}  // namespace
}  // namespace dhyan::kernels
