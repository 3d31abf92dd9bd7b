#include "models/bridge.h"

#include <cmath>
#include <gtest/gtest.h>

#include "models/testing/tiny_recurrent.h"

namespace dhyan {
namespace {

// A source of one sentence with given final states of the encoder: one row of one number for each state.
struct Ends {
  Arena arena;
  Scope scope{arena};
  std::vector<State> states;

  explicit Ends(std::initializer_list<std::pair<Real, Real>> numbers) {
    for (const auto& [h, c] : numbers) states.push_back({number(h), number(c)});
  }
  Var number(Real x) { return scope.constant(Tensor::of({1, 1}, {x})); }
  EncodedSource source(Index directions) {
    return {{scope.constant(Tensor::zeros({1, directions})), Segments::one(1)}, states};
  }
};

// The properties of an encoder that a bridge needs.
class FakeEncoder final : public Encoder {
 public:
  explicit FakeEncoder(const RecurrentConfig& config)
      : width_(config.hidden * (config.directions == Directions::kBoth ? 2 : 1)), has_states_(true) {}
  explicit FakeEncoder(Index width) : width_(width), has_states_(false) {}

  EncodedSource operator()(Scope&, const SourceBatch&) const override { return {}; }
  Index width() const override { return width_; }
  bool has_states() const override { return has_states_; }

 private:
  Index width_;
  bool has_states_;
};

RecurrentConfig lstm() {
  RecurrentConfig config = tiny_recurrent();
  config.cell = "lstm";
  config.hidden = 1;
  return config;
}

void fill(ParameterSet& parameters, Real number) {
  for (Parameter& weight : parameters) weight.value.fill(number);
}

TEST(Bridge, CopiesTheStatesOfAnEncoderLikeTheDecoder) {
  RecurrentConfig config = lstm();
  config.directions = Directions::kForward;
  config.encoder_layers = config.decoder_layers = 2;
  ParameterSet parameters;
  const Bridge bridge(parameters, config, FakeEncoder(config), Rng(1));
  EXPECT_EQ(parameters.count(), 0u);
  Ends ends{{1, 2}, {3, 4}};
  const auto states = bridge(ends.source(1));
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(states[0].h.value().item(), 1);
  EXPECT_EQ(states[1].c.value().item(), 4);
}

TEST(Bridge, ConnectsADecoderOfAnotherWidth) {
  RecurrentConfig config = lstm();
  config.directions = Directions::kForward;
  config.decoder_hidden = 3;
  ParameterSet parameters;
  const Bridge bridge(parameters, config, FakeEncoder(config), Rng(1));
  Ends ends{{1, 2}};
  const auto states = bridge(ends.source(1));
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0].h.shape(), (Shape{1, 3}));
}

TEST(Bridge, StartsAnAttendingDecoderFromTheBackwardState) {
  ParameterSet parameters;
  const Bridge bridge(parameters, lstm(), FakeEncoder(lstm()), Rng(1));
  EXPECT_EQ(parameters.find("bridge.0.h.weight")->value.shape(), (Shape{1, 1}));
  fill(parameters, 0.5);
  Ends ends{{7, 7}, {1, -2}};
  const auto states = bridge(ends.source(2));
  ASSERT_EQ(states.size(), 1u);
  EXPECT_NEAR(states[0].h.value().item(), std::tanh(0.5 * 1 + 0.5), 1e-6);
  EXPECT_NEAR(states[0].c.value().item(), std::tanh(0.5 * -2 + 0.5), 1e-6);
}

TEST(Bridge, StartsOtherDecodersFromTheContextVector) {
  RecurrentConfig config = lstm();
  config.context = ContextKind::kNone;
  config.decoder_layers = 2;
  ParameterSet parameters;
  const Bridge bridge(parameters, config, FakeEncoder(config), Rng(1));
  EXPECT_EQ(parameters.find("bridge.1.h.weight")->value.shape(), (Shape{2, 1}));
  fill(parameters, 0.25);
  Ends ends{{1, 0}, {2, 1}};
  const EncodedSource source = ends.source(2);
  EXPECT_EQ(context_vector_of(source).shape(), (Shape{1, 2}));
  EXPECT_EQ(context_vector_of(source).value().span()[0], 1);
  EXPECT_EQ(context_vector_of(source).value().span()[1], 2);
  const auto states = bridge(source);
  ASSERT_EQ(states.size(), 2u);
  EXPECT_NEAR(states[1].h.value().item(), std::tanh(0.25 * (1 + 2) + 0.25), 1e-6);
  EXPECT_NEAR(states[1].c.value().item(), std::tanh(0.25 * (0 + 1) + 0.25), 1e-6);
}

TEST(Bridge, StartsFromTheMeanAnnotationWithoutStates) {
  ParameterSet parameters;
  const Bridge bridge(parameters, lstm(), FakeEncoder(2), Rng(1));
  fill(parameters, 0.5);
  Arena arena;
  Scope scope(arena);
  const Var rows = scope.constant(Tensor::of({3, 2}, {1, 2, 3, 4, 8, 0}));  // of two sources
  const auto states = bridge({.annotations = {rows, Segments::from_lengths({2, 1})}});
  ASSERT_EQ(states.size(), 1u);
  EXPECT_NEAR(states[0].h.value().row(0)[0], std::tanh(0.5 * 2 + 0.5 * 3 + 0.5), 1e-6);
  EXPECT_NEAR(states[0].c.value().row(1)[0], std::tanh(0.5 * 8 + 0.5), 1e-6);
}

}  // namespace
}  // namespace dhyan
