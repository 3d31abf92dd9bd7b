#include "models/recurrent_model.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/testing/all_weights.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "models/testing/tied_tables.h"
#include "models/testing/tiny_recurrent.h"
#include "ops/activations.h"
#include "ops/arithmetic.h"
#include "ops/embedding.h"
#include "ops/gates.h"
#include "ops/matmul.h"
#include "ops/softmax.h"

namespace dhyan {
namespace {

// A second implementation of the papers' models, for one sentence and word by word, with the weights of a model.
class ByHand {
 public:
  ByHand(Scope& scope, const TranslationModel& model) : scope_(scope), model_(model) {}

  Var weight(const std::string& name) const { return scope_.parameter(*model_.parameters().find(name)); }
  Var times(const Var& x, const std::string& name) const { return matmul(x, weight(name)); }
  Var affine(const Var& x, const std::string& name) const {
    return add_bias(times(x, name + ".weight"), weight(name + ".bias"));
  }
  Var word(const std::string& table, TokenId id) const { return embedding(scope_, weight(table), {&id, 1}); }  // [1,E]
  Var zeros(Index n) const { return scope_.constant(Tensor::zeros({1, n})); }

  Var recur(const Var& h, const std::string& cell) const {
    return add_bias(times(h, cell + ".U"), weight(cell + ".c"));
  }
  Var from(const Var& x, const std::string& cell) const { return add_bias(times(x, cell + ".W"), weight(cell + ".b")); }
  Var gru(const std::string& cell, const Var& from_x, const Var& h) const {
    return gru_gates(from_x, recur(h, cell), h);
  }
  State lstm(const std::string& cell, const Var& from_x, const State& before) const {
    const Var from_h = recur(before.h, cell);
    const Var c = lstm_state(from_x, from_h, before.c);
    return {lstm_output(from_x, from_h, c), c};
  }

  double log_probability(const Var& t, TokenId id) const {
    const Var z = add_bias(matmul(t, Transpose::kNo, weight("output.weight"), Transpose::kYes), weight("output.bias"));
    return double{log_softmax(z).value().span()[static_cast<std::size_t>(id)]};
  }

 private:
  Scope& scope_;
  const TranslationModel& model_;
};

TEST(RecurrentModel, FollowsBahdanau) {
  const RecurrentConfig config = tiny_recurrent();
  const auto model = random_model(config);
  const Batch batch = random_pairs(2, {{3, 3}}, config);
  Arena arena;
  Scope scope(arena);
  const ByHand by(scope, *model);

  std::vector<Var> x, forward{by.zeros(2)}, backward{by.zeros(2)}, annotations;
  for (const TokenId id : batch.source) x.push_back(by.word("source.table", id));
  for (const Var& word : x) {
    forward.push_back(by.gru("encoder.0.forward", by.from(word, "encoder.0.forward"), forward.back()));
  }
  for (auto word = x.rbegin(); word != x.rend(); ++word) {
    backward.push_back(by.gru("encoder.0.backward", by.from(*word, "encoder.0.backward"), backward.back()));
  }
  for (std::size_t j = 0; j < x.size(); ++j)
    annotations.push_back(concat_cols({forward[j + 1], backward[x.size() - j]}));
  const Var h = concat_rows(annotations);  // [S,2H]

  Var s = tanh(by.affine(backward.back(), "bridge.0.h"));  // s_0 = tanh(W_s ←h_1)
  double log_p = 0;
  TokenId before = kBegin;
  for (const TokenId id : batch.target) {
    std::vector<Var> energies;  // e_ij = vᵀ tanh(W_a s_{i-1} + U_a h_j)
    for (const Var& h_j : annotations) {
      const Var sum = add(by.times(s, "attention.score.W"), by.times(h_j, "attention.score.U"));
      const Var hidden = tanh(add_bias(sum, by.weight("attention.score.b")));
      energies.push_back(matmul(hidden, reshape(by.weight("attention.score.v"), {3, 1})));
    }
    const Var c = matmul(softmax(concat_cols(energies)), h);  // [1,2H]
    const Var y = by.word("target.table", before);            // [1,E]
    s = by.gru("decoder.0", add(by.from(y, "decoder.0"), by.times(c, "decoder.context.weight")), s);
    log_p += by.log_probability(maxout(by.affine(concat_cols({s, y, c}), "readout"), 2), id);
    before = id;
  }
  EXPECT_NEAR(nll_of(*model, batch), -log_p, kClose);
}

TEST(RecurrentModel, FollowsLuong) {
  RecurrentConfig config = tiny_recurrent();
  config.cell = "lstm";
  config.encoder_layers = config.decoder_layers = 2;
  config.directions = Directions::kForward;
  config.timing = Timing::kAfter;
  config.output = OutputKind::kTanh;
  config.attention.score = "general";
  const auto model = random_model(config);
  const Batch batch = random_pairs(3, {{3, 3}}, config);
  Arena arena;
  Scope scope(arena);
  const ByHand by(scope, *model);

  State low{by.zeros(2), by.zeros(2)}, high = low;
  std::vector<Var> annotations;
  for (const TokenId id : batch.source) {
    low = by.lstm("encoder.0.forward", by.from(by.word("source.table", id), "encoder.0.forward"), low);
    high = by.lstm("encoder.1.forward", by.from(low.h, "encoder.1.forward"), high);
    annotations.push_back(high.h);
  }
  const Var h = concat_rows(annotations);  // [S,H]

  Var fed = by.zeros(3);  // h~
  double log_p = 0;
  TokenId before = kBegin;
  for (const TokenId id : batch.target) {
    const Var y = by.word("target.table", before);  // [1,E]
    low = by.lstm("decoder.0", add(by.from(y, "decoder.0"), by.times(fed, "decoder.feed.weight")), low);
    high = by.lstm("decoder.1", by.from(low.h, "decoder.1"), high);
    const Var keys = by.times(h, "attention.score.W");                                        // [S,H]
    const Var c = matmul(softmax(matmul(high.h, Transpose::kNo, keys, Transpose::kYes)), h);  // [1,H]
    fed = tanh(by.affine(concat_cols({c, high.h}), "readout"));
    log_p += by.log_probability(fed, id);
    before = id;
  }
  EXPECT_NEAR(nll_of(*model, batch), -log_p, kClose);
}

// [cho2014]: the context vector is the initial state and an input of every step. [sutskever2014]: only the former.
TEST(RecurrentModel, FollowsTheModelsWithoutAttention) {
  for (const ContextKind context : {ContextKind::kFixed, ContextKind::kNone}) {
    RecurrentConfig config = tiny_recurrent();
    config.context = context;
    config.directions = Directions::kForward;
    const auto model = random_model(config);
    const Batch batch = random_pairs(4, {{3, 3}}, config);
    Arena arena;
    Scope scope(arena);
    const ByHand by(scope, *model);
    Var context_vector = by.zeros(2);  // [1,H]
    for (const TokenId id : batch.source) {
      context_vector =
          by.gru("encoder.0.forward", by.from(by.word("source.table", id), "encoder.0.forward"), context_vector);
    }
    Var s = context_vector;
    double log_p = 0;
    TokenId before = kBegin;
    for (const TokenId id : batch.target) {
      const Var y = by.word("target.table", before);  // [1,E]
      Var from_x = by.from(y, "decoder.0");
      if (context == ContextKind::kFixed) from_x = add(from_x, by.times(context_vector, "decoder.context.weight"));
      s = by.gru("decoder.0", from_x, s);
      const Var seen = context == ContextKind::kFixed ? concat_cols({s, y, context_vector}) : concat_cols({s, y});
      log_p += by.log_probability(maxout(by.affine(seen, "readout"), 2), id);
      before = id;
    }
    EXPECT_NEAR(nll_of(*model, batch), -log_p, kClose);
  }
}

TEST(RecurrentModel, TiesTheConfiguredTables) {
  RecurrentConfig config = tiny_recurrent();
  config.target_vocabulary = config.source_vocabulary;
  expect_tied_tables(make_recurrent_model, config);
}

TEST(RecurrentModel, HasInitialWeightsThatDependOnTheRngOnly) {
  const auto weights = [](std::uint64_t seed) {
    return all_weights(make_recurrent_model(tiny_recurrent(), Rng(seed))->parameters());
  };
  EXPECT_EQ(weights(1), weights(1));
  EXPECT_NE(weights(1), weights(2));
}

TEST(RecurrentModel, HasALossThatIsTheSumOverSentences) {
  const RecurrentConfig config = tiny_recurrent();
  const auto model = random_model(config);
  const Batch batch = random_pairs(6, {{3, 2}, {1, 4}, {5, 1}}, config);
  double sum = 0;
  for (Index b = 0; b < batch.sentences(); ++b) sum += nll_of(*model, sentence_of(batch, b));
  EXPECT_NEAR(nll_of(*model, batch), sum, kClose);
  const auto [loss, nll] = trained_loss(*model, batch, {});
  EXPECT_NEAR(loss, nll, kClose);
  EXPECT_NEAR(nll, sum, kClose);
  EXPECT_GT(std::abs(trained_loss(*model, batch, {.label_smoothing = 0.3}).first - nll), 0.01);
  EXPECT_EQ(trained_loss(*model, batch, {.label_smoothing = 0.3}).second, nll);
}

TEST(RecurrentModel, UsesDropoutInTrainingOnly) {
  RecurrentConfig config = tiny_recurrent();
  config.decoder_layers = 2;
  const auto plain = random_model(config);
  config.dropout = 0.5;
  const auto dropping = random_model(config);
  const Batch batch = random_pairs(7, {{3, 2}, {2, 4}}, config);
  EXPECT_EQ(nll_of(*plain, batch), nll_of(*dropping, batch));
  EXPECT_NE(trained_loss(*plain, batch, {}), trained_loss(*dropping, batch, {}));
}

TEST(RecurrentModel, IsFedItsOwnWordsInTrainingOnly) {
  const RecurrentConfig config = tiny_recurrent();
  const auto model = random_model(config);
  const Batch batch = random_pairs(8, {{3, 4}, {2, 5}}, config);
  const auto forced = trained_loss(*model, batch, {});
  EXPECT_EQ(trained_loss(*model, batch, {.sampled = 1e-12}), forced);
  EXPECT_NE(trained_loss(*model, batch, {.sampled = 1}), forced);
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(model->loss(scope, batch, {.sampled = 1}).nll, nll_of(*model, batch));
}

TEST(RecurrentModel, TakesABatchWithoutSentences) {
  const auto model = random_model(tiny_recurrent());
  const Batch none = make_batch({});
  EXPECT_EQ(trained_loss(*model, none, {.sampled = 0.5}), std::pair(0.0, 0.0));
  EXPECT_EQ(model->decode({none.source, none.source_segments})->sentences(), 0);
}

TEST(RecurrentModel, RefusesAnImpossibleConfig) {
  RecurrentConfig config = tiny_recurrent();
  config.hidden = 0;
  EXPECT_EQ(thrown<ConfigError>([&] { make_recurrent_model(config, Rng(1)); }),
            "hidden width is 0, expected 1 or more");
  config = tiny_recurrent();
  config.attention.score = "dot";  // annotations of two directions are twice as wide as the query
  EXPECT_THROW(make_recurrent_model(config, Rng(1)), ConfigError);
}

}  // namespace
}  // namespace dhyan
