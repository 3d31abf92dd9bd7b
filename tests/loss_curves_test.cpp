// The networks of golden/make_loss_curves.py, trained here, have the same losses as in PyTorch.

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "attention/attend.h"
#include "kernels/simd/runtime.h"
#include "nn/embedding.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/positions.h"
#include "nn/recurrent.h"
#include "ops/activations.h"
#include "ops/arithmetic.h"
#include "ops/output_loss.h"
#include "training/gradients.h"
#include "training/optimizers.h"
#include "training/parallel_step.h"

namespace dhyan {
namespace {

constexpr Index V = 11, E = 8, H = 8, FF = 12, kHeads = 2;
constexpr double kLearningRate = 0.02, kSmoothing = 0.1, kClip = 1;
constexpr std::array<Index, 4> kLengths{5, 3, 1, 4};
constexpr double kWords = 5 + 3 + 1 + 4;

// Sentences [begin,end) of the batch: each predicts its next word, the last one word 0.
struct Part {
  Part(std::size_t begin, std::size_t end)
      : segments(Segments::from_lengths(std::span(kLengths).subspan(begin, end - begin))), plan(segments) {
    Index position = 0;
    for (std::size_t b = 0; b < end; ++b) {
      for (Index i = 0; i < kLengths[b]; ++i, ++position) {
        if (b < begin) continue;
        words.push_back(word_at(position));
        next.push_back(i + 1 < kLengths[b] ? word_at(position + 1) : 0);
      }
    }
  }

  static RowId word_at(Index position) { return static_cast<RowId>(1 + position * 7 % (V - 1)); }

  Segments segments;
  RecurrentPlan plan;
  std::vector<RowId> words, next;
};

class Network {
 public:
  virtual ~Network() = default;

  ParameterSet parameters;

  Var loss(Scope& scope, const Part& part) const {
    const Var x = top(scope, part);  // [ΣT,H]
    const OutputLayer output{scope.parameter(*parameters.find("out")), scope.parameter(*parameters.find("bias"))};
    const Var sum = output_loss(x, output, part.next, {.label_smoothing = kSmoothing}).loss;  // []
    return scale(sum, static_cast<Real>(1 / kWords));                                         // []
  }

 protected:
  // Parameters are in the script's order, so that each gets the same salt.
  void add_output_and_fill() {
    parameters.add("out", {V, H});
    parameters.add("bias", {V});
    for (Parameter& parameter : parameters) {
      const bool of_norm = parameter.name.starts_with("norm"), gain = parameter.name.ends_with(".gain");
      const auto salt = static_cast<Index>(parameter.index) + 1;
      for (Index k = 0; k < parameter.value.size(); ++k) {
        const double u = static_cast<double>((k * 7919 + salt * 104729) % 2003) / 2003 - 0.5;
        parameter.value.data()[k] = static_cast<Real>(u * (of_norm ? 0.2 : 1) + (gain ? 1 : 0));
      }
    }
  }

 private:
  virtual Var top(Scope& scope, const Part& part) const = 0;  // [ΣT,H]
};

class Gru final : public Network {
 public:
  Gru() { add_output_and_fill(); }

 private:
  Var top(Scope& scope, const Part& part) const override {
    const Var x = embedding_(scope, part.words);                          // [ΣT,E]
    return layer_(make_ragged(x, part.segments), part.plan).annotations;  // [ΣT,H]
  }

  Embedding embedding_{parameters, "words", V, E};
  Recurrent layer_{parameters, "layer", {.in = E, .hidden = H}};
};

class SelfAttention final : public Network {
 public:
  SelfAttention() { add_output_and_fill(); }

 private:
  Var top(Scope& scope, const Part& part) const override {
    const Segments& segments = part.segments;
    const Var x = positions_.add_to({embedding_(scope, part.words), segments});  // [ΣT,E]
    const Var n = norm1_(x);                                                     // [ΣT,E]
    const Attended attended =
        attend(*score_, {q_(n), segments}, {k_(n), v_(n), segments}, {.heads = kHeads, .window = window_.get()});
    const Var y = add(x, o_(attended.context));  // [ΣT,E]
    return add(y, down_(relu(up_(norm2_(y)))));  // [ΣT,E]
  }

  std::unique_ptr<Score> score_ =
      make_score("scaled_dot", {parameters, "score", {.query = E, .key = E, .heads = kHeads}, Rng(0)});
  std::unique_ptr<Window> window_ = make_window("causal", {parameters, "window", {.query = E}, Rng(0)});
  Embedding embedding_{parameters, "words", V, E, {.scale = EmbeddingScale::kRootOfWidth}};
  SinusoidalPositions positions_{{.hidden = E}};
  LayerNorm norm1_{parameters, "norm1", E};
  Linear q_{parameters, "q", E, E}, k_{parameters, "k", E, E}, v_{parameters, "v", E, E}, o_{parameters, "o", E, E};
  LayerNorm norm2_{parameters, "norm2", E};
  Linear up_{parameters, "up", E, FF}, down_{parameters, "down", FF, E};
};

void update(Network& network, GradientSet& gradients, Optimizer& optimizer) {
  clip_by_global_norm(gradients, kClip);
  optimizer.step(network.parameters, gradients, kLearningRate);
}

// Loss per word before each step, the whole batch on one tape.
std::vector<double> curve_on_one_tape(Network& network, std::string_view optimizer_name, std::size_t steps) {
  const Part batch(0, kLengths.size());
  const auto optimizer = make_optimizer(optimizer_name, network.parameters);
  GradientSet gradients(network.parameters);
  Tape tape(network.parameters);
  Arena arena;
  std::vector<double> losses;
  for (std::size_t i = 0; i < steps; ++i) {
    arena.reset();
    gradients.clear();
    tape.start(gradients, Rng(i));
    Scope scope(arena, tape);
    const Var loss = network.loss(scope, batch);  // []
    losses.push_back(loss.value().item());
    tape.backward(loss);
    update(network, gradients, *optimizer);
  }
  return losses;
}

// The same with the sentences in two shards, on two threads.
std::vector<double> curve_on_shards(Network& network, std::string_view optimizer_name, std::size_t steps) {
  const Part shards[] = {Part(0, 2), Part(2, kLengths.size())};
  const auto optimizer = make_optimizer(optimizer_name, network.parameters);
  ThreadPool pool = kernels::make_thread_pool(2);
  ParallelStep step(network.parameters, pool, 2);
  std::vector<double> losses;
  for (std::size_t i = 0; i < steps; ++i) {
    losses.push_back(
        step.run(Rng(i), [&](Scope& scope, Index shard) { return network.loss(scope, shards[shard]); }).sum);
    update(network, step.gradients(), *optimizer);
  }
  return losses;
}

template <class N>
void expect_curve(const char* name, std::string_view optimizer) {
  std::ifstream file(DHYAN_LOSS_CURVES);
  const auto expected = nlohmann::json::parse(file).at(name).get<std::vector<double>>();
  ASSERT_EQ(expected.size(), 20u);
  N one, other;
  const std::vector<double> on_one_tape = curve_on_one_tape(one, optimizer, expected.size());
  const std::vector<double> on_shards = curve_on_shards(other, optimizer, expected.size());
  const double tolerance = sizeof(Real) == 8 ? 1e-9 : 1e-4;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(on_one_tape[i], expected[i], tolerance) << "step " << i;
    EXPECT_NEAR(on_shards[i], expected[i], tolerance) << "step " << i << ", on shards";
  }
}

TEST(LossCurves, OfAGruWithAdamMatchPyTorch) { expect_curve<Gru>("gru with adam", "adam"); }

TEST(LossCurves, OfSelfAttentionWithAdamWMatchPyTorch) {
  expect_curve<SelfAttention>("self-attention with adamw", "adamw");
}

}  // namespace
}  // namespace dhyan
