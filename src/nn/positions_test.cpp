#include "nn/positions.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

class PositionEncodings : public testing::Test {
 protected:
  Ragged zeros(std::initializer_list<Index> lengths, Index H) {
    const Segments segments = Segments::from_lengths(lengths);
    return make_ragged(scope_.constant(Tensor::zeros({segments.rows(), H})), segments);
  }

  Arena arena_;
  Scope scope_{arena_};
  ParameterSet parameters_;
};

TEST_F(PositionEncodings, SinusoidalOnesStartAnewInEverySentence) {
  const SinusoidalPositions positions({.hidden = 4});
  const Tensor p = positions.add_to(zeros({2, 0, 3}, 4)).value();  // [5,4]
  const int expected[] = {0, 1, 0, 1, 2};
  for (Index r = 0; r < 5; ++r) {
    const double at = expected[r];
    EXPECT_NEAR(p.row(r)[0], std::sin(at), 1e-6);
    EXPECT_NEAR(p.row(r)[1], std::cos(at), 1e-6);
    EXPECT_NEAR(p.row(r)[2], std::sin(at / 100), 1e-6);
    EXPECT_NEAR(p.row(r)[3], std::cos(at / 100), 1e-6);
  }
}

TEST_F(PositionEncodings, AreAddedToTheRows) {
  const SinusoidalPositions positions({.hidden = 2});
  const Ragged x = make_ragged(scope_.constant(Tensor::of({1, 2}, {5, 6})), Segments::one(1));
  EXPECT_NEAR(positions.add_to(x).value().data()[0], 5, 1e-6);
  EXPECT_NEAR(positions.add_to(x).value().data()[1], 7, 1e-6);
}

TEST_F(PositionEncodings, ContinueAfterCachedWords) {
  for (const PositionsEntry& entry : position_encodings()) {
    const auto positions = entry.make(parameters_, std::string(entry.name), {.hidden = 3, .limit = 6});
    const Tensor whole = positions->add_to(zeros({6}, 3)).value(),
                 rest = positions->add_to(zeros({2, 1}, 3), 4).value();
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(rest.row(0)[j], whole.row(4)[j]) << entry.name;
      EXPECT_EQ(rest.row(1)[j], whole.row(5)[j]) << entry.name;
      EXPECT_EQ(rest.row(2)[j], whole.row(4)[j]) << entry.name;
    }
  }
}

TEST_F(PositionEncodings, CanStartElsewhereInEachSentence) {
  const LearnedPositions positions(parameters_, "positions", {.hidden = 1, .limit = 6});
  for (Index p = 0; p < 6; ++p) parameters_.find("positions.table")->value.data()[p] = static_cast<Real>(p);
  const std::vector<Index> starts{4, 7, 0};
  const Tensor got = positions.add_to(zeros({2, 0, 3}, 1), starts).value();  // [5,1]
  EXPECT_EQ(std::vector<Real>(got.span().begin(), got.span().end()), (std::vector<Real>{4, 5, 0, 1, 2}));
  EXPECT_EQ(thrown<ShapeError>([&] {
              positions.add_to(zeros({1, 1}, 1), starts);
            }),
            "positions: 3 starts for 2 sentences");
}

TEST_F(PositionEncodings, OfEmbeddedWordsEqualPositionsAddedToTheirRows) {
  const std::vector<RowId> words{3, 1, 0, 3, 2};
  const std::vector<Index> starts{4, 7, 0};
  const Segments segments = Segments::from_lengths({2, 0, 3});
  for (const PositionsEntry& entry : position_encodings()) {
    for (const EmbeddingScale scale : {EmbeddingScale::kNone, EmbeddingScale::kRootOfWidth}) {
      ParameterSet parameters;
      const Embedding embedding(parameters, "words", 4, 19, {.scale = scale, .rng = Rng(1)});
      const auto positions = entry.make(parameters, "positions", {.hidden = 19, .limit = 9, .rng = Rng(2)});
      const Ragged x{embedding(scope_, words), segments};
      const Tensor at_0 = positions->of_words(scope_, embedding, words, segments, {}).value(),
                   further = positions->of_words(scope_, embedding, words, segments, starts).value();  // [5,19]
      EXPECT_TRUE(std::ranges::equal(at_0.span(), positions->add_to(x).value().span())) << entry.name;
      EXPECT_TRUE(std::ranges::equal(further.span(), positions->add_to(x, starts).value().span())) << entry.name;
    }
  }
}

TEST_F(PositionEncodings, SinusoidalOnesAreTheSameFromWhicheverTable) {
  const SinusoidalPositions small({.hidden = 6, .limit = 2}), large({.hidden = 6, .limit = 300});
  for (const Index length : {9, 200}) {
    const Tensor a = small.add_to(zeros({length}, 6)).value(), b = large.add_to(zeros({length}, 6)).value();
    for (Index i = 0; i < a.size(); ++i) EXPECT_EQ(a.data()[i], b.data()[i]);
  }
}

TEST_F(PositionEncodings, SinusoidalOnesCanCountFromAnotherNumber) {
  for (const PositionsEntry& entry : position_encodings()) {
    if (!entry.by_formula) continue;
    const auto plain = entry.make(parameters_, "p", {.hidden = 6}),
               from_2 = entry.make(parameters_, "p", {.hidden = 6, .first = 2});
    const Tensor a = plain->add_to(zeros({5}, 6)).value(), b = from_2->add_to(zeros({3}, 6)).value();
    for (Index i = 0; i < b.size(); ++i) EXPECT_EQ(b.data()[i], a.data()[2 * 6 + i]) << entry.name;
  }
}

TEST_F(PositionEncodings, LearnedOnesHaveTheRightJacobian) {
  const LearnedPositions positions(parameters_, "positions", {.hidden = 2, .limit = 4});
  const Segments segments = Segments::from_lengths({2, 0, 3});
  Rng rng(6);
  EXPECT_EQ(module_jacobian_mismatch(parameters_, {random_tensor(rng, {5, 2})},
                                     [&](Scope&, const Inputs& in) {
                                       const Var once = positions.add_to({in[0], segments});
                                       return positions.add_to({once, segments}, 1);
                                     }),
            "");
}

TEST_F(PositionEncodings, AcceptNoRows) {
  const LearnedPositions positions(parameters_, "positions", {.hidden = 2, .limit = 1});
  EXPECT_EQ(positions.add_to(zeros({0, 0}, 2), 5).shape(), (Shape{0, 2}));
}

TEST_F(PositionEncodings, RefusePositionsOutOfRange) {
  const LearnedPositions positions(parameters_, "decoder.positions", {.hidden = 2, .limit = 4});
  EXPECT_EQ(thrown<DataError>([&] {
              positions.add_to(zeros({1, 2}, 2), 3);
            }),
            "positions: a sentence reaches length 5, 'decoder.positions.table' has positions for 4");
  EXPECT_EQ(thrown<DataError>([&] { positions.add_to(zeros({1}, 2), -1); }),
            "positions: start is -1, expected 0 or more");
  EXPECT_EQ(thrown<ShapeError>([&] { positions.add_to(zeros({1}, 3)); }), "positions: x is [1,3], expected [1,2]");
  EXPECT_EQ(thrown<ConfigError>([&] { make_positions("rotary", parameters_, "p", {}); }),
            "positions: 'rotary' is none of sinusoidal, sinusoidal-halves, sinusoidal-closed, learned");
}

}  // namespace
}  // namespace dhyan
