#include "kernels/gemm/packed_weight.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/thread_pool.h"
#include "kernels/gemm/column_partition.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

TEST(ColumnPartition, IsWholePanelsAndCoversAllColumns) {
  for (const Index columns : {0, 1, 31, 32, 33, 100, 2048}) {
    for (const Index of : {1, 2, 3, 7, 80}) {
      Index end = 0;
      for (Index i = 0; i < of; ++i) {
        const ColumnRange range = columns_of({i, of}, columns, 32);
        EXPECT_EQ(range.begin, end);
        EXPECT_TRUE(range.begin % 32 == 0 || range.size == 0);
        end += range.size;
      }
      EXPECT_EQ(end, columns);
    }
  }
}

// The results of several GEMMs in turn, on the calling thread (threads == 0) or as the only task of a pool.
std::vector<std::vector<Real>> results_of(const PackedWeight& weight, PaddedRows& x, const ConstMatrix& w,
                                          std::span<const Real> bias, int threads,
                                          Precision precision = Precision::kFull) {
  std::vector<std::vector<Real>> results(6, std::vector<Real>(static_cast<std::size_t>(x.matrix().rows * w.n())));
  const auto multiply = [&](IntraOpThreads* intra_op) {
    for (std::vector<Real>& y : results)
      weight.multiply(x.matrix(), w, bias, matrix_of(y, w.n()), {precision, intra_op});
  };
  if (threads == 0) {
    multiply(nullptr);
  } else {
    ThreadPool pool(threads);
    pool.run(1, [&](Index, int worker) { multiply(&pool.intra_op(worker)); });
  }
  return results;
}

TEST(PackedWeight, GivesTheSameBytesWithAnyNumberOfThreads) {
  constexpr Index I = 151, O = 1003;
  Rng rng(1);
  on_every_target([&] {
    for (const Index M : {5, 30}) {  // unpacked at first; packed after 128 rows
      PaddedRows x(rng, M, I), w(rng, I, O), table(rng, O, I);
      const std::vector<Real> bias = random_values(rng, O);
      for (const ConstMatrix& weight : {ConstMatrix(w.matrix()), table.matrix().t()}) {
        for (const Precision precision : {Precision::kFull, Precision::kSplitBfloat16}) {
          const auto alone = results_of(PackedWeight(), x, weight, bias, 0, precision);
          EXPECT_EQ(alone.front(), alone.back()) << "packed and not";
          for (const int threads : {1, 2, 3}) {
            const auto results = results_of(PackedWeight(), x, weight, bias, threads, precision);
            EXPECT_EQ(results, alone) << threads << " threads";
          }
        }
      }
    }
  });
}

TEST(PackedWeight, RefusesShapesThatDoNotMatchOnAnyNumberOfThreads) {
  Rng rng(3);
  PaddedRows x(rng, 3, 400), w(rng, 401, 1000), y(rng, 3, 1000);
  ThreadPool pool(2);
  EXPECT_THROW(pool.run(1,
                        [&](Index, int worker) {
                          PackedWeight().multiply(x.matrix(), w.matrix(), {}, y.matrix(),
                                                  {.intra_op = &pool.intra_op(worker)});
                        }),
               ShapeError);
}

}  // namespace
}  // namespace dhyan::kernels
