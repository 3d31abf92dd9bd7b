#include "nn/recurrent.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"
#include "ops/rows.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

constexpr Index kIn = 3, kHidden = 2;
constexpr CellSize kSize{.in = kIn, .hidden = kHidden};

void expect_near(const Tensor& actual, const Tensor& expected, const std::string& what) {
  ASSERT_EQ(actual.shape(), expected.shape()) << what;
  for (Index i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual.data()[i], expected.data()[i], 1e-6) << what << " " << i;
}

void expect_equal(const Tensor& actual, const Tensor& expected, const std::string& what) {
  ASSERT_EQ(actual.shape(), expected.shape()) << what;
  for (Index i = 0; i < actual.size(); ++i) EXPECT_EQ(actual.data()[i], expected.data()[i]) << what << " " << i;
}

// h of one sentence [S,E], word by word, and the state after it; words come from the end if backward.
struct Simple {
  std::vector<Tensor> h;  // of each word
  State last;
};
Simple by_hand(const Cell& cell, const Var& x, Direction direction, State state) {
  Simple result{std::vector<Tensor>(static_cast<std::size_t>(x.rows())), {}};
  for (Index t = 0; t < x.rows(); ++t) {
    const Index word = direction == Direction::kForward ? t : x.rows() - 1 - t;
    state = cell.step(cell.project(slice_rows(x, word, word + 1)), state);
    result.h[static_cast<std::size_t>(word)] = state.h.value();
  }
  result.last = state;
  return result;
}

TEST(Recurrent, EqualsALoopOverTheWordsOfEachSentence) {
  const Segments segments = Segments::from_lengths({2, 0, 4, 1, 4});
  const RecurrentPlan plan(segments);
  for (const CellEntry& entry : cells()) {
    const std::string kind(entry.name);
    ParameterSet parameters, copy;
    const Recurrent layer(parameters, "encoder", kSize, {.cell = kind, .directions = Directions::kBoth});
    randomise(parameters, 1);
    const auto forward = entry.make(copy, "encoder.0.forward", kSize, {});
    const auto backward = entry.make(copy, "encoder.0.backward", kSize, {});
    for (Parameter& weight : copy) weight.value = parameters.find(weight.name)->value;
    Arena arena;
    Scope scope(arena);
    Rng rng(2);
    const Var x = scope.constant(random_tensor(rng, {segments.rows(), kIn}));  // [ΣS,E]
    const auto random_state = [&] {
      const auto rows = [&] { return scope.constant(random_tensor(rng, {segments.count(), kHidden})); };
      return State{rows(), entry.has_memory ? rows() : Var()};
    };
    const State initial[] = {random_state(), random_state()};  // [B,H]
    const Recurred got = layer({x, segments}, plan, initial);
    ASSERT_EQ(got.annotations.shape(), (Shape{segments.rows(), 2 * kHidden}));
    for (Index b = 0; b < segments.count(); ++b) {
      const Var sentence = slice_rows(x, segments.begin(b), segments.end(b));  // [S,E]
      for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
        const std::size_t d = direction == Direction::kForward ? 0 : 1;
        const auto row = [&](const Var& rows) { return rows ? slice_rows(rows, b, b + 1) : Var(); };
        const Simple expected =
            by_hand(d == 0 ? *forward : *backward, sentence, direction, {row(initial[d].h), row(initial[d].c)});
        expect_near(row(got.finals[d].h).value(), expected.last.h.value(), kind + " h");
        EXPECT_EQ(static_cast<bool>(got.finals[d].c), entry.has_memory);
        if (entry.has_memory) expect_near(row(got.finals[d].c).value(), expected.last.c.value(), kind + " c");
        for (Index j = 0; j < segments.length(b); ++j) {
          const Var h = slice_cols(slice_rows(got.annotations, segments.begin(b) + j, segments.begin(b) + j + 1),
                                   static_cast<Index>(d) * kHidden, static_cast<Index>(d + 1) * kHidden);  // [1,H]
          expect_near(h.value(), expected.h[static_cast<std::size_t>(j)], kind + " annotation");
        }
      }
    }
  }
}

TEST(Recurrent, GivesASentenceTheSameResultWhateverItsNeighbours) {
  const Segments segments = Segments::from_lengths({3, 0, 5, 1});
  for (const CellEntry& entry : cells()) {
    const std::string kind(entry.name);
    ParameterSet parameters;
    const Recurrent layers(parameters, "encoder", kSize,
                           {.cell = kind, .layers = 2, .directions = Directions::kBoth, .weights = {.rng = Rng(3)}});
    Arena arena;
    Scope scope(arena);
    Rng rng(4);
    const Var x = scope.constant(random_tensor(rng, {segments.rows(), kIn}));  // [ΣS,E]
    const Recurred together = layers({x, segments}, RecurrentPlan(segments));
    ASSERT_EQ(together.finals.size(), 4u);
    for (Index b = 0; b < segments.count(); ++b) {
      const Index begin = segments.begin(b), end = segments.end(b);
      const Segments one = Segments::one(end - begin);
      const Recurred alone = layers({slice_rows(x, begin, end), one}, RecurrentPlan(one));
      expect_equal(slice_rows(together.annotations, begin, end).value(), alone.annotations.value(), kind);
      for (std::size_t i = 0; i < 4; ++i) {
        expect_equal(slice_rows(together.finals[i].h, b, b + 1).value(), alone.finals[i].h.value(), kind + " final");
      }
    }
  }
}

TEST(Recurrent, EndsForwardAtTheLastWordAndBackwardAtTheFirst) {
  const Segments segments = Segments::from_lengths({2, 0, 3});
  ParameterSet parameters;
  const Recurrent layer(parameters, "encoder", kSize, {.directions = Directions::kBoth});
  Arena arena;
  Scope scope(arena);
  Rng rng(5);
  const Recurred got =
      layer({scope.constant(random_tensor(rng, {5, kIn})), segments}, RecurrentPlan(segments));  // [5,2H]
  const auto [forward, backward] = split_cols<2>(got.annotations);
  expect_near(got.finals[0].h.value(), last_rows(forward, segments).value(), "forward");
  expect_near(got.finals[1].h.value(), first_rows(backward, segments).value(), "backward");
}

// All there is to see: annotations and the final states, below each other.
Var everything(const Recurred& got, Index directions) {
  std::vector<Var> parts{reshape(got.annotations, {got.annotations.rows() * directions, kHidden})};
  for (const State& state : got.finals) {
    parts.push_back(state.h);
    if (state.c) parts.push_back(state.c);
  }
  return concat_rows(parts);
}

TEST(Recurrent, HasTheRightJacobianForEveryCell) {
  const Segments segments = Segments::from_lengths({1, 0, 3});
  const RecurrentPlan plan(segments);
  for (const CellEntry& entry : cells()) {
    ParameterSet parameters;
    const Recurrent layer(parameters, "encoder", kSize, {.cell = std::string(entry.name)});
    randomise(parameters, 6);
    Rng rng(7);
    const Tensor x = random_tensor(rng, {4, kIn}), h = random_tensor(rng, {3, kHidden}),
                 c = random_tensor(rng, {3, kHidden});
    EXPECT_EQ(module_jacobian_mismatch(parameters, {x, h, c},
                                       [&](Scope&, const Inputs& in) {
                                         const State initial{in[1], entry.has_memory ? in[2] : Var()};
                                         return everything(layer({in[0], segments}, plan, {&initial, 1}), 1);
                                       }),
              "")
        << entry.name;
  }
}

TEST(Recurrent, HasTheRightJacobianThroughLayersDirectionsAndDropout) {
  const Segments segments = Segments::from_lengths({2, 0, 1, 3});
  const RecurrentPlan plan(segments);
  for (const DropoutMask mask : {DropoutMask::kElements, DropoutMask::kSentences}) {
    ParameterSet parameters;
    const Recurrent layers(
        parameters, "encoder", kSize,
        {.cell = "lstm", .layers = 2, .directions = Directions::kBoth, .between_layers = Dropout(0.3, mask)});
    randomise(parameters, 8);
    Rng rng(9);
    EXPECT_EQ(module_jacobian_mismatch(parameters, {random_tensor(rng, {6, kIn})},
                                       [&](Scope&, const Inputs& in) {
                                         return everything(layers({in[0], segments}, plan), 2);
                                       }),
              "");
  }
}

TEST(Recurrent, AppliesResidualAndNormAfterEveryLayer) {
  const Segments segments = Segments::from_lengths({2, 3});
  const RecurrentPlan plan(segments);
  constexpr CellSize even{.in = 2 * kHidden, .hidden = kHidden};
  const auto options = [](Index layers) {
    return RecurrentOptions{.layers = layers, .directions = Directions::kBoth, .end = {true, true}};
  };
  ParameterSet parameters, copy;
  const Recurrent two(parameters, "encoder", even, options(2));
  randomise(parameters, 11);
  const Recurrent plain(copy, "encoder", even, {.directions = Directions::kBoth});
  const ResidualNorm end(copy, "encoder.0", 2 * kHidden, {true, true});
  Arena arena;
  Scope scope(arena);
  Rng rng(12);
  Var x = scope.constant(random_tensor(rng, {5, 2 * kHidden}));  // [ΣS,2H]
  const Recurred together = two({x, segments}, plan);
  for (const char* layer : {"encoder.0", "encoder.1"}) {
    for (Parameter& weight : copy) weight.value = parameters.find(layer + weight.name.substr(9))->value;
    x = end(x, plain({x, segments}, plan).annotations);  // [ΣS,2H]
  }
  expect_near(together.annotations.value(), x.value(), "two layers");
}

TEST(Recurrent, HasTheRightJacobianWithNormsAndResiduals) {
  const Segments segments = Segments::from_lengths({1, 3});
  const RecurrentPlan plan(segments);
  ParameterSet parameters;
  const Recurrent layers(parameters, "encoder", kSize, {.layers = 2, .end = {.layer_norm = true, .residual = true}});
  randomise(parameters, 13);
  Rng rng(14);
  EXPECT_EQ(module_jacobian_mismatch(parameters, {random_tensor(rng, {4, kIn})},
                                     [&](Scope&, const Inputs& in) {
                                       return everything(layers({in[0], segments}, plan), 1);
                                     }),
            "");
}

TEST(Recurrent, DropsBetweenLayersOnly) {
  const Segments segments = Segments::one(4);
  const RecurrentPlan plan(segments);
  Rng rng(10);
  const Tensor x = random_tensor(rng, {4, kIn});
  for (const Index layers : {1, 2}) {
    const auto run = [&](double probability) {
      ParameterSet parameters;
      const Recurrent net(parameters, "encoder", kSize, {.layers = layers, .between_layers = Dropout(probability)});
      GradientSet gradients(parameters);
      Tape tape(parameters);
      tape.start(gradients, Rng(1));
      Arena arena;
      Scope scope(arena, tape);
      const Var h = net({scope.constant(x), segments}, plan).annotations;
      return std::vector<Real>(h.value().span().begin(), h.value().span().end());
    };
    EXPECT_EQ(run(0) == run(0.9), layers == 1);
  }
}

TEST(Recurrent, TakesBatchesWithoutWordsAndWithoutSentences) {
  for (const CellEntry& entry : cells()) {
    ParameterSet parameters;
    const Recurrent layers(parameters, "encoder", kSize,
                           {.cell = std::string(entry.name), .layers = 2, .directions = Directions::kBoth});
    EXPECT_EQ(layers.layers(), 2);
    EXPECT_EQ(layers.out(), 2 * kHidden);
    for (const Segments& segments : {Segments(), Segments::from_lengths({0, 0})}) {
      Arena arena;
      Scope scope(arena);
      const Recurred got = layers({scope.constant(Tensor::zeros({0, kIn})), segments}, RecurrentPlan(segments));
      EXPECT_EQ(got.annotations.shape(), (Shape{0, 2 * kHidden}));
      for (const State& state : got.finals) EXPECT_EQ(state.h.shape(), (Shape{segments.count(), kHidden}));
    }
  }
}

TEST(Recurrent, RefusesWrongShapes) {
  ParameterSet parameters;
  const Recurrent layer(parameters, "encoder", kSize, {.directions = Directions::kBoth});
  Arena arena;
  Scope scope(arena);
  const Segments two = Segments::one(2);
  const RecurrentPlan plan(two);
  const Var x = scope.constant(Tensor::zeros({2, kIn}));
  const auto zeros = [&](Index n) { return State{scope.constant(Tensor::zeros({n, kHidden}))}; };
  EXPECT_EQ(thrown<ShapeError>([&] {
              layer({x, Segments::one(3)}, plan);
            }),
            "recurrent: x is [2,3], segments are of 3 rows");
  EXPECT_EQ(thrown<ShapeError>([&] {
              layer({x, Segments::singles(2)}, plan);
            }),
            "recurrent: the plan is of 1 sentences and 2 rows, x of 2 and 2; expected the same lengths");
  const State one[] = {zeros(1)}, wrong[] = {zeros(1), zeros(2)};
  EXPECT_EQ(thrown<ShapeError>([&] {
              layer({x, two}, plan, one);
            }),
            "recurrent: 1 initial states, expected 2: one for each cell");
  EXPECT_EQ(thrown<ShapeError>([&] { layer({x, two}, plan, wrong); }), "recurrent: initial h is [2,2], expected [1,2]");
  const Var c = zeros(1).h;
  const State with_c[] = {{c, c}, {c, c}};
  EXPECT_EQ(thrown<ShapeError>([&] {
              layer({x, two}, plan, with_c);
            }),
            "recurrent: an initial state has a memory c; the cells are gru");
  EXPECT_EQ(thrown<ConfigError>([&] { Recurrent(parameters, "none", kSize, {.layers = 0}); }),
            "recurrent: layers is 0, expected 1 or more");
}

// A change of the backward cells leaves forward states alone in separate stacks, and only in them.
TEST(Recurrent, SeparateStacksMeetInTheAnnotationsAlone) {
  const Segments segments = Segments::from_lengths({3, 2});
  for (const Stacks stacks : {Stacks::kSeparate, Stacks::kJoint}) {
    ParameterSet parameters;
    const Recurrent layers(parameters, "encoder", {.in = 3, .hidden = 2},
                           {.layers = 2, .directions = Directions::kBoth, .stacks = stacks, .transitions = 1});
    randomise(parameters, 1);
    Rng rng(2);
    Arena arena;
    Scope scope(arena);
    const Ragged x{scope.constant(random_tensor(rng, {5, 3})), segments};
    const auto forward = [&] {
      const Var h = slice_cols(layers(x, RecurrentPlan(segments)).annotations, 0, 2);  // [5,2]
      return std::vector<Real>(h.value().span().begin(), h.value().span().end());
    };
    const std::vector<Real> before = forward();
    parameters.find("encoder.0.backward.U")->value.fill(3);
    EXPECT_EQ(forward() == before, stacks == Stacks::kSeparate);
  }
}

}  // namespace
}  // namespace dhyan
