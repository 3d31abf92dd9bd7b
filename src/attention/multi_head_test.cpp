#include "attention/multi_head.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"
#include "ops/linear.h"
#include "ops/rows.h"
#include "ops/testing/int8_parameter.h"

namespace dhyan {
namespace {

constexpr Index kModelWidth = 4;

AttentionConfig of_heads(Index heads, std::string_view score = "scaled_dot") {
  return {.score = std::string(score), .heads = heads, .radius = 1, .longest = 4};
}

class MultiHead : public testing::Test {
 protected:
  Var weight(const std::string& name) { return scope_.parameter(*parameters_.find(name)); }
  Var by(const Var& x, const std::string& name) { return linear(x, weight(name + ".weight"), weight(name + ".bias")); }
  Var random(std::uint64_t seed, Index rows) {
    Rng rng(seed);
    return scope_.constant(random_tensor(rng, {rows, kModelWidth}));
  }
  MultiHeadAttention make(const AttentionConfig& config) {
    MultiHeadAttention attention(parameters_, "a", kModelWidth, config, Rng(1));
    randomise(parameters_, 2);
    return attention;
  }
  void expect_equal(const Var& a, const Var& b) {
    ASSERT_EQ(a.shape(), b.shape());
    for (Index i = 0; i < a.value().size(); ++i) EXPECT_EQ(a.value().data()[i], b.value().data()[i]) << i;
  }

  Arena arena_;
  Scope scope_{arena_};
  ParameterSet parameters_;
  const Segments queries_ = Segments::from_lengths({2, 0, 3}), keys_ = Segments::from_lengths({3, 2, 1});
};

TEST_F(MultiHead, WithOneHeadIsAttentionBetweenItsProjections) {
  const MultiHeadAttention multi = make(of_heads(1));
  ParameterSet none;
  const Attention single(none, "single", {kModelWidth, kModelWidth}, of_heads(1), Rng(1));
  const Var x = random(3, 5), h = random(4, 6);
  const Memory memory = single.prepare({by(h, "a.key"), keys_}, by(h, "a.value"));
  const Attended alone = single({by(x, "a.query"), queries_}, memory);
  const MultiHeadAttended got = multi({x, queries_}, multi.prepare({h, keys_}));
  expect_equal(got.attended.weights, alone.weights);
  expect_equal(got.output, by(alone.context, "a.output"));
}

// By the columns that are its own: two heads are two attentions, side by side.
TEST_F(MultiHead, HasHeadsThatAreEachOneAttention) {
  const MultiHeadAttention multi = make(of_heads(2));
  ParameterSet none;
  const Attention single(none, "single", {2, 2}, of_heads(1), Rng(1));
  const Var x = random(3, 5);
  const Segments& segments = queries_;
  std::vector<Var> heads;
  for (const Index n : {0, 1}) {
    const auto own = [&](const char* name) { return slice_cols(by(x, name), 2 * n, 2 * n + 2); };
    heads.push_back(
        single({own("a.query"), segments}, single.prepare({own("a.key"), segments}, own("a.value"))).context);
  }
  expect_equal(multi({x, segments}, multi.prepare({x, segments})).output, by(concat_cols(heads), "a.output"));
}

TEST_F(MultiHead, StoresKeysAndValuesOfInt8WeightsInBfloat16IfItsScoreReadsBfloat16) {
  const Var x = random(3, 5), h = random(4, 6);
  for (const ScoreEntry& score : scores()) {
    SCOPED_TRACE(score.name);
    parameters_ = {};
    const MultiHeadAttention multi = make(of_heads(2, score.name));
    EXPECT_EQ(multi.kv_cache_dtype(), Dtype::kReal);
    for (const char* name : {"a.key.weight", "a.value.weight"}) make_int8(*parameters_.find(name));
    const bool multiplies = score.name != "additive" && score.name != "concat" && score.name != "location";
    EXPECT_EQ(multi.kv_cache_dtype(), multiplies ? Dtype::kBfloat16 : Dtype::kReal);
    const Memory kept_memory = cast(multi.prepare({h, keys_}), multi.kv_cache_dtype());
    EXPECT_EQ(kept_memory.keys.value().dtype(), multi.kv_cache_dtype());
    const Var rounded = multi({x, queries_}, kept_memory).output;
    const Var full = multi({x, queries_}, multi.prepare({h, keys_})).output;
    for (Index i = 0; i < full.value().size(); ++i) {
      EXPECT_NEAR(rounded.value().data()[i], full.value().data()[i], multiplies ? 0.02 : 0) << i;
    }
  }
}

TEST_F(MultiHead, CausalSeesNoLaterPosition) {
  for (const WindowEntry& window : windows()) {
    SCOPED_TRACE(window.name);
    if (window.name == "local-p" || window.name == "no-end") continue;  // look at how long the sentence is
    parameters_ = {};
    AttentionConfig config = of_heads(2);
    config.causal = true;
    config.window = window.name;
    const MultiHeadAttention multi = make(config);
    const Tensor x = random(3, 4).value();
    const auto seen_by = [&](Index rows) {
      const Ragged first{scope_.constant(x.row_range(0, rows)), Segments::one(rows)};
      return multi(first, multi.prepare(first)).output;  // [rows,H]
    };
    const Var all = seen_by(4);
    for (const Index rows : {1, 2, 3}) expect_equal(slice_rows(all, 0, rows), seen_by(rows));
  }
}

// A row can be added to the memory later, and its query asked by itself.
TEST_F(MultiHead, CausalGivesAQueryTheSameOutputAloneAndInARow) {
  AttentionConfig config = of_heads(2);
  config.causal = true;
  const MultiHeadAttention multi = make(config);
  const Var x = random(3, 5);
  const Memory memory = multi.prepare({x, queries_});
  const Var all = multi({x, queries_}, memory).output;
  const std::vector<Index> firsts{1, 0, 2};
  const std::vector<RowId> rows{1, 4};  // the last of each sentence
  const Ragged last{gather_rows(x, rows), Segments::from_lengths({1, 0, 1})};
  expect_equal(multi(last, memory, QueryPositions::from(firsts)).output, gather_rows(all, rows));
}

TEST_F(MultiHead, HasTheRightJacobianWithEveryScore) {
  for (const ScoreEntry& score : scores()) {
    for (const bool causal : {false, true}) {
      parameters_ = {};
      AttentionConfig config = of_heads(2, score.name);
      config.causal = causal;
      const MultiHeadAttention multi = make(config);
      randomise(parameters_, 2, 0.5);
      Rng rng(5);
      const std::vector<Tensor> inputs{random_tensor(rng, {5, kModelWidth}), random_tensor(rng, {6, kModelWidth})};
      const auto cross = [&](Scope&, const std::vector<Var>& in) {
        return multi({in[0], queries_}, multi.prepare({in[1], keys_})).output;
      };
      const auto self = [&](Scope&, const std::vector<Var>& in) {
        return multi({in[0], queries_}, multi.prepare({in[0], queries_})).output;
      };
      EXPECT_EQ(module_jacobian_mismatch(parameters_, inputs, cross), "") << score.name << ", cross";
      EXPECT_EQ(module_jacobian_mismatch(parameters_, {inputs[0]}, self), "") << score.name << ", self";
    }
  }
}

TEST_F(MultiHead, NeedsAWidthThatItsHeadsCanShare) {
  EXPECT_EQ(thrown<ConfigError>([&] { make(of_heads(3)); }),
            "attention: width of the queries is 4, which 3 heads cannot share equally");
}

}  // namespace
}  // namespace dhyan
