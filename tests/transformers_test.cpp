// The Transformers of golden/make_transformers.py, with the same weights, have the same logits, losses and gradients as
// in PyTorch.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "models/decoder_only.h"
#include "models/masked_model.h"
#include "models/testing/decode_checks.h"
#include "models/transformer_model.h"
#include "ops/arithmetic.h"
#include "ops/reductions.h"

namespace dhyan {
namespace {

using Json = nlohmann::json;
using Sentences = std::vector<std::vector<TokenId>>;

// The file has 11 digits.
constexpr double kTolerance = sizeof(Real) == 8 ? 1e-10 : 1e-5;

const Json& golden() {
  static const Json all = [] {
    std::ifstream file(DHYAN_TRANSFORMERS);
    return Json::parse(file);
  }();
  return all;
}

TransformerConfig config_of(const Json& of) {
  const Json& json = of.at("config");
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = json.at("vocabulary");
  config.hidden = json.at("hidden");
  config.feed_forward = json.at("feed_forward");
  config.encoder_layers = config.decoder_layers = json.at("layers");
  config.attention.score = "scaled_dot";
  config.attention.heads = json.at("heads");
  config.norm = json.at("norm") == "before" ? NormPlace::kBefore : NormPlace::kAfter;
  config.activation = json.at("activation");
  config.positions = json.at("positions");
  config.longest = json.at("longest");
  const Json& tying = json.at("tying");
  config.tying = tying == "none" ? Tying::kNone : tying == "decoder" ? Tying::kDecoder : Tying::kAll;
  return config;
}

void load(ParameterSet& parameters, const Json& weights) {
  ASSERT_EQ(parameters.count(), weights.size());
  for (Parameter& parameter : parameters) {
    const auto numbers = weights.at(parameter.name).get<std::vector<double>>();
    ASSERT_EQ(std::ssize(numbers), parameter.value.size()) << parameter.name;
    std::ranges::transform(numbers, parameter.value.data(), [](double x) { return static_cast<Real>(x); });
  }
}

Batch batch_of(const Json& json) {
  const auto sources = json.at("source").get<Sentences>(), targets = json.at("target").get<Sentences>();
  std::vector<Example> examples;
  for (std::size_t b = 0; b < sources.size(); ++b) examples.push_back({sources[b], targets[b], b});
  return make_batch(examples);
}

// The largest difference: relative for values above 1, absolute for others.
double difference(std::span<const Real> got, const std::vector<double>& expected) {
  EXPECT_EQ(got.size(), expected.size());
  double worst = 0;
  for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i) {
    worst = std::max(worst, std::abs(double{got[i]} - expected[i]) / std::max(1.0, std::abs(expected[i])));
  }
  return worst;
}

void expect_logits(const Tensor& logits, const Json& golden, const char* how) {  // [R,V]
  std::vector<double> expected;
  for (const auto& sentence : golden.at("logits").get<std::vector<std::vector<double>>>()) {
    expected.insert(expected.end(), sentence.begin(), sentence.end());
  }
  const double worst = difference(logits.span(), expected);
  EXPECT_LE(worst, kTolerance) << how;
  std::printf("logits %s differ by %.1e\n", how, worst);
}

using LossFunction = std::function<Var(Scope& scope, double label_smoothing)>;

// Losses, and d(smoothed loss)/d(every weight).
void expect_losses(const ParameterSet& parameters, const Json& of, const LossFunction& loss) {
  GradientSet gradients(parameters);
  Tape tape(parameters);
  Arena arena;
  const auto run = [&](double smoothing, const char* name) {
    arena.reset();
    tape.start(gradients, Rng(1));
    Scope scope(arena, tape);
    const Var sum = loss(scope, smoothing);  // []
    const double worst = difference(sum.value().span(), {of.at(name).get<double>()});
    EXPECT_LE(worst, kTolerance) << name;
    std::printf("%s differs by %.1e\n", name, worst);
    tape.backward(sum);
  };
  run(0, "loss");
  gradients.clear();
  run(golden().at("label smoothing"), "smoothed loss");
  double all = 0;
  for (const Parameter& parameter : parameters) {
    const Json& expected = of.at("gradients of the smoothed loss").at(parameter.name);
    const double worst = difference(gradients[parameter].value().span(), expected.get<std::vector<double>>());
    EXPECT_LE(worst, kTolerance) << parameter.name;
    all = std::max(all, worst);
  }
  std::printf("gradients differ by %.1e\n", all);
}

LossFunction loss_of(const Model& model, const Batch& batch) {
  return [&](Scope& scope, double label_smoothing) {
    return model.loss(scope, batch, {.label_smoothing = label_smoothing}).loss;
  };
}

TEST(Transformers, WithEncoderAndDecoderMatchPyTorch) {
  for (const char* name : {"encoder-decoder", "encoder-decoder with norms after"}) {
    SCOPED_TRACE(name);
    const Json& expected = golden().at(name);
    const Batch batch = batch_of(expected);
    const auto model = make_transformer_model(config_of(expected), Rng(1));
    load(model->parameters(), expected.at("weights"));
    expect_losses(model->parameters(), expected, loss_of(*model, batch));
    const auto decoding = model->decode(source_of(batch));
    const std::vector<TokenId> inputs = decoder_inputs(batch);
    expect_logits(stepwise_logits(*decoding, inputs, batch.target_segments), expected, "step by step");

    ParameterSet parameters;
    const TransformerNetwork network(parameters, config_of(expected), Rng(1));
    load(parameters, expected.at("weights"));
    Arena arena;
    Scope scope(arena);
    const Var y = network.teacher_forced(scope, source_of(batch), inputs, batch.target_segments).y;  // [ΣT,H]
    expect_logits(output_logits(y, network.output(scope)).value(), expected, "in one pass");
  }
}

TEST(Transformers, WithADecoderOnlyMatchPyTorch) {
  const Json& expected = golden().at("decoder-only");
  const Batch batch = batch_of(expected);
  const auto model = make_language_model(config_of(expected), Rng(1));
  load(model->parameters(), expected.at("weights"));
  expect_losses(model->parameters(), expected, loss_of(*model, batch));
  const auto decoding = model->decode({{}, Segments::from_lengths({0, 0, 0})});
  expect_logits(stepwise_logits(*decoding, batch.source, batch.source_segments), expected, "step by step");

  ParameterSet parameters;
  const DecoderOnlyNetwork network(parameters, config_of(expected), Rng(1));
  load(parameters, expected.at("weights"));
  Arena arena;
  Scope scope(arena);
  const Var y = network(scope, batch.source, batch.source_segments).y;  // [ΣS,H]
  expect_logits(output_logits(y, network.output(scope)).value(), expected, "in one pass");
}

// [R,V]  The target distribution of each row: 1 - smoothing at its word, the rest spread over all words. Rows whose
// word is below 0 have no loss.
Tensor shares(std::span<const TokenId> answers, Index V, double smoothing) {
  Tensor q = Tensor::zeros({std::ssize(answers), V});
  for (Index row = 0; row < std::ssize(answers); ++row) {
    const TokenId answer = answers[static_cast<std::size_t>(row)];
    if (answer < 0) continue;
    std::ranges::fill(q.row(row), static_cast<Real>(smoothing / static_cast<double>(V)));
    q.row(row)[static_cast<std::size_t>(answer)] += static_cast<Real>(1 - smoothing);
  }
  return q;
}

TEST(Transformers, WithAnEncoderOnlyMatchPyTorch) {
  const Json& expected = golden().at("encoder-only");
  const Batch batch = batch_of(expected);
  const TransformerConfig config = config_of(expected);
  const auto model = make_masked_model(config, Rng(1));
  load(model->parameters(), expected.at("weights"));
  const auto logits = [&](Scope& scope) { return model->logits(model->encode(scope, source_of(batch)).states); };
  expect_losses(model->parameters(), expected, [&](Scope& scope, double smoothing) {
    const Tensor q = shares(batch.target, config.target_vocabulary, smoothing);  // [ΣS,V]
    return scale(sum(multiply(log_softmax(logits(scope)), scope.constant(q))), -1);
  });
  Arena arena;
  Scope scope(arena);
  expect_logits(logits(scope).value(), expected, "in one pass");
}

}  // namespace
}  // namespace dhyan
