#include "attention/attention.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "attention/testing/made_up_score.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

constexpr Index kWidth = 4;  // of queries and annotations

// Queries and keys of the tests. One sentence has no key, one no query; the longest has more positions than the
// location score knows.
struct Sizes {
  const char* name;
  Segments queries, keys;
};
const Sizes kSizes[] = {
    {"several queries a sentence", Segments::from_lengths({2, 1, 0, 3}), Segments::from_lengths({3, 0, 2, 5})},
    {"one query a sentence", Segments::singles(3), Segments::from_lengths({2, 0, 5})},
};

AttentionConfig config_of(std::string_view score, std::string_view window, Index heads = 1) {
  return {.score = std::string(score),
          .window = std::string(window),
          .heads = heads,
          .hidden = 6,
          .radius = 3,
          .longest = 4};
}

// Every score with every window of the tables, with one head and with two.
std::vector<AttentionConfig> every_attention(const AttentionTables& tables = {}) {
  std::vector<AttentionConfig> configs;
  for (const ScoreEntry& score : tables.scores) {
    for (const WindowEntry& window : tables.windows) {
      for (const Index heads : {1, 2}) {
        configs.push_back(config_of(score.name, window.name, heads));
        configs.back().tables = tables;
      }
    }
  }
  return configs;
}

std::string text_of(const AttentionConfig& config) {
  return cat(config.score, ", ", config.window, ", ", config.heads, " heads");
}

bool has_exact_gradient(const AttentionConfig& config) {
  return std::ranges::find(config.tables.windows, config.window, &WindowEntry::name)->exact_gradient;
}

// By queries, annotations and all weights.
std::string gradient_mismatch(const AttentionConfig& config, const Sizes& sizes) {
  Rng rng(11);
  ParameterSet weights;
  const Attention attention(weights, "attention", {kWidth, kWidth}, config, rng);
  randomise(weights, 5, 0.5);  // so that local-p predicts the middle, where a step moves no key into or out of sight
  return module_jacobian_mismatch(
      weights, {random_tensor(rng, {sizes.queries.rows(), kWidth}), random_tensor(rng, {sizes.keys.rows(), kWidth})},
      [&](Scope&, const auto& in) {
        const Memory memory = attention.prepare({in[1], sizes.keys});
        return attention({in[0], sizes.queries}, memory).context;  // [ΣT,K]
      });
}

TEST(Attention, HasTheRightGradientWithEveryScoreAndWindow) {
  int checked = 0;
  for (const AttentionConfig& config : every_attention()) {
    if (!has_exact_gradient(config)) continue;
    for (const Sizes& sizes : kSizes) {
      EXPECT_EQ(gradient_mismatch(config, sizes), "") << text_of(config) << ", " << sizes.name;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 2 * 2 * std::ssize(scores()) * (std::ssize(windows()) - 1));  // all windows but hard
}

class EveryAttention : public testing::Test {
 protected:
  // f(attention, config) for each, with weights of their own.
  template <class F>
  void for_each(const F& f) {
    for (const AttentionConfig& config : every_attention()) {
      SCOPED_TRACE(text_of(config));
      ParameterSet weights;
      const Attention attention(weights, "attention", {kWidth, kWidth}, config, Rng(3));
      randomise(weights, 5);
      f(attention, config);
    }
  }

  Attended run(const Attention& attention, const Tensor& queries, const Tensor& annotations, const Sizes& sizes) {
    const Memory memory = attention.prepare({scope_.constant(annotations), sizes.keys});
    return attention({scope_.constant(queries), sizes.queries}, memory);
  }

  Arena arena_;
  Scope scope_{arena_};
};

TEST_F(EveryAttention, HasWeightsThatSumToOne) {
  for_each([&](const Attention& attention, const AttentionConfig& config) {
    for (const Sizes& sizes : kSizes) {
      Rng rng(7);
      const Attended got = run(attention, random_tensor(rng, {sizes.queries.rows(), kWidth}),
                               random_tensor(rng, {sizes.keys.rows(), kWidth}), sizes);
      ASSERT_EQ(got.context.shape(), (Shape{sizes.queries.rows(), kWidth}));
      ASSERT_EQ(got.energy.shape(), got.weights.shape());
      const AttentionLayout layout{sizes.queries, sizes.keys, config.heads};
      kernels::for_each_block(layout, [&](const kernels::LayoutBlock& block) {
        for (Index t = 0; t < block.T; ++t) {
          double sum = 0;
          for (Index s = 0; s < block.S; ++s) sum += got.weights.value().data()[block.offset + t * block.S + s];
          EXPECT_NEAR(sum, block.S > 0 ? 1 : 0, 1e-6);
        }
      });
    }
  });
}

TEST_F(EveryAttention, OfABatchEqualsThatOfItsSentences) {
  for_each([&](const Attention& attention, const AttentionConfig&) {
    const Sizes& sizes = kSizes[0];
    Rng rng(8);
    const Tensor q = random_tensor(rng, {sizes.queries.rows(), kWidth}),
                 h = random_tensor(rng, {sizes.keys.rows(), kWidth});
    const Tensor together = run(attention, q, h, sizes).context.value();
    for (Index b = 0; b < sizes.queries.count(); ++b) {
      const Sizes alone{"", Segments::one(sizes.queries.length(b)), Segments::one(sizes.keys.length(b))};
      const Tensor one = run(attention, q.row_range(sizes.queries.begin(b), sizes.queries.end(b)),
                             h.row_range(sizes.keys.begin(b), sizes.keys.end(b)), alone)
                             .context.value();
      for (Index i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one.data()[i], together.data()[sizes.queries.begin(b) * kWidth + i]) << b;
      }
    }
  });
}

TEST_F(EveryAttention, GivesAQueryTheSameContextAloneAndInARow) {
  for_each([&](const Attention& attention, const AttentionConfig&) {
    Rng rng(9);
    const Tensor q = random_tensor(rng, {3, kWidth}), h = random_tensor(rng, {4, kWidth});
    const Memory memory = attention.prepare({scope_.constant(h), Segments::one(4)});
    const Tensor row = attention({scope_.constant(q), Segments::one(3)}, memory).context.value();
    for (Index t = 0; t < 3; ++t) {
      const Ragged query{scope_.constant(q.row_range(t, t + 1)), Segments::one(1)};
      const Tensor one = attention(query, memory, t).context.value();
      for (Index i = 0; i < kWidth; ++i) EXPECT_EQ(one.data()[i], row.data()[t * kWidth + i]) << t;
    }
  });
}

TEST(Attention, TakesAHiddenLayerAsWideAsTheQueryUnlessToldOtherwise) {
  ParameterSet weights;
  const Attention plain(weights, "plain", {6, 4}, {.score = "additive"}, Rng(1));
  const Attention narrow(weights, "narrow", {6, 4}, {.score = "additive", .hidden = 3}, Rng(1));
  EXPECT_EQ(weights.find("plain.score.W")->value.shape(), (Shape{6, 6}));
  EXPECT_EQ(weights.find("narrow.score.U")->value.shape(), (Shape{4, 3}));
}

TEST(Attention, BeginsWithTheSameWeightsFromTheSameSeed) {
  ParameterSet first, again;
  const AttentionConfig config = config_of("additive", "local-p");
  const Attention a(first, "attention", {kWidth, kWidth}, config, Rng(1));
  const Attention b(again, "attention", {kWidth, kWidth}, config, Rng(1));
  ASSERT_EQ(first.count(), 6u);  // W, U, b, v of the score, W and v of the window
  for (const Parameter& weight : first) {
    EXPECT_TRUE(std::ranges::equal(weight.value.span(), again.find(weight.name)->value.span())) << weight.name;
  }
}

TEST(HardAttention, PassesTheContextsGradientToTheEnergies) {
  ParameterSet weights;
  const Attention hard(weights, "attention", {kWidth, kWidth}, config_of("dot", "hard"), Rng(1));
  GradientSet gradients(weights);
  Tape tape(weights);
  tape.start(gradients, Rng(2));
  Arena arena;
  Scope scope(arena, tape);
  const Var q = scope.variable(Tensor::of({1, 4}, {1, 0, 0, 0}));
  const Var h = scope.constant(Tensor::of({2, 4}, {1, 0, 0, 0, 0, 1, 0, 0}));
  const Attended attended = hard({q, Segments::one(1)}, hard.prepare({h, Segments::one(2)}));
  tape.backward(attended.context, Tensor::of({1, 4}, {1, 0, 0, 0}));
  // dα = (1, 0) whatever was drawn; with p = softmax(1, 0): de = p_0 p_1 (1, -1), dq = Σ de_j h_j
  const double p = 1 / (1 + std::exp(-1.0));
  EXPECT_NEAR(q.grad().data()[0], p * (1 - p), 1e-6);
  EXPECT_NEAR(q.grad().data()[1], -p * (1 - p), 1e-6);
}

class MadeUpScoreTest : public testing::Test {
 protected:
  AttentionTables tables() const { return longer_.tables(); }

  LongerTable longer_;
};

TEST_F(MadeUpScoreTest, IsCheckedAgainst) {
  AttentionConfig config = config_of("made_up", "global");
  EXPECT_THROW(check(config), ConfigError);
  config.tables = tables();
  EXPECT_NO_THROW(check(config));
  config.score = "made_down";
  EXPECT_EQ(thrown<ConfigError>([&] { check(config); }),
            "score: 'made_down' is none of dot, scaled_dot, general, additive, concat, location, cosine, made_up");
}

TEST_F(MadeUpScoreTest, IsKnownToTheGradientTestsWithEveryWindow) {
  int checked = 0;
  for (const AttentionConfig& config : every_attention(tables())) {
    if (config.score != "made_up" || !has_exact_gradient(config)) continue;
    for (const Sizes& sizes : kSizes) EXPECT_EQ(gradient_mismatch(config, sizes), "") << text_of(config);
    ++checked;
  }
  EXPECT_EQ(checked, 2 * (std::ssize(windows()) - 1));
}

TEST_F(MadeUpScoreTest, IsUsedByTheLayer) {
  ParameterSet weights;
  AttentionConfig config = config_of("made_up", "global");
  config.tables = tables();
  const Attention attention(weights, "attention", {kWidth, kWidth}, config, Rng(1));
  weights.find("attention.score.factor")->value.fill(3);
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({1, 4}, {1, 2, 0, 0}));
  const Segments one = Segments::one(1);
  EXPECT_EQ(attention({x, one}, attention.prepare({x, one})).energy.value().item(), -15);
}

}  // namespace
}  // namespace dhyan
