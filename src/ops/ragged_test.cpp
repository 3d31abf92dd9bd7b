#include "ops/ragged.h"

#include <gtest/gtest.h>

#include "autograd/tape.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(MakeRagged, TakesRowsAndSegmentsOfThem) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({3, 2}));
  const Ragged ragged = make_ragged(x, Segments::from_lengths({1, 0, 2}));
  EXPECT_EQ(&ragged.rows.node(), &x.node());
  EXPECT_EQ(ragged.segments.count(), 3);
  EXPECT_EQ(make_ragged(scope.constant(Tensor::zeros({0, 2})), Segments()).segments.count(), 0);
}

TEST(MakeRagged, NamesTheRowsThatDoNotFit) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({3, 2}));
  EXPECT_EQ(thrown<ShapeError>([&] { make_ragged(x, Segments::one(4)); }),
            "make_ragged: x is [3,2], segments are of 4 rows");
  EXPECT_EQ(thrown<ShapeError>([&] { expect_sentences("op", x, Segments::one(4)); }),
            "op: x is [3,2], segments are of 1 sentences");
}

}  // namespace
}  // namespace dhyan
