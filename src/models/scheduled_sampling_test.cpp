#include "models/scheduled_sampling.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "models/testing/tiny_recurrent.h"

namespace dhyan {
namespace {

constexpr Index kWords = 64;

// Predicts the next number for any source: 2 3 4 ... Records its inputs.
class Counter final : public Decoding {
 public:
  explicit Counter(Index sentences) : histories_(static_cast<std::size_t>(sentences)) {}

  Index sentences() const override { return static_cast<Index>(histories_.size()); }

  DecoderStep step(const Continuation& continuation) override {
    std::vector<std::vector<TokenId>> longer;
    const Tensor logits = Tensor::zeros({std::ssize(continuation.rows), kWords});
    for (std::size_t i = 0; i < continuation.rows.size(); ++i) {
      longer.push_back(histories_.at(static_cast<std::size_t>(continuation.rows[i])));
      longer.back().push_back(continuation.tokens[i]);
      logits.row(static_cast<Index>(i))[static_cast<std::size_t>(continuation.tokens[i] + 1)] = 1;
    }
    histories_ = longer;
    fed.insert(fed.end(), longer.begin(), longer.end());
    return {scope_.constant(logits), {}};
  }

  std::vector<std::vector<TokenId>> fed;  // every prefix, step by step

 private:
  std::vector<std::vector<TokenId>> histories_;
  Arena arena_;
  Scope scope_{arena_};
};

Batch targets(std::initializer_list<std::vector<TokenId>> sentences) {
  std::vector<Example> examples;
  for (const std::vector<TokenId>& sentence : sentences) examples.push_back({{}, sentence, 0});
  return make_batch(examples);
}

TEST(ScheduledSampling, WithoutProbabilityIsTeacherForcing) {
  const Batch batch = targets({{7, 7, kEnd}, {6, kEnd}});
  Counter counter(2);
  EXPECT_EQ(sampled_inputs(counter, batch, 0, Rng(1)), decoder_inputs(batch));
}

TEST(ScheduledSampling, WithCertaintyFeedsTheModelItsOwnWords) {
  const Batch batch = targets({{7, kEnd}, {9, 9, 9, kEnd}, {kEnd}, {8, 8, kEnd}});
  Counter counter(4);
  EXPECT_EQ(sampled_inputs(counter, batch, 1, Rng(1)), (std::vector<TokenId>{2, 3, 2, 3, 4, 5, 2, 2, 3, 4}));
  // A sentence takes part until its words are chosen: three, two, then one sentence.
  EXPECT_EQ(counter.fed, (std::vector<std::vector<TokenId>>{{2}, {2}, {2}, {2, 3}, {2, 3}, {2, 3, 4}}));
}

TEST(ScheduledSampling, ReplacesWordsWithTheGivenProbability) {
  const std::vector<TokenId> long_sentence(1000, 7);
  const Batch batch = targets({long_sentence});
  Counter counter(1);
  const std::vector<TokenId> inputs = sampled_inputs(counter, batch, 0.25, Rng(2));
  EXPECT_EQ(inputs.front(), kBegin);
  int replaced = 0;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i] == 7) continue;
    ++replaced;
    EXPECT_EQ(inputs[i], inputs[i - 1] + 1);
  }
  EXPECT_NEAR(replaced, 250, 40);
  Counter again(1);
  EXPECT_EQ(sampled_inputs(again, batch, 0.25, Rng(2)), inputs);
}

TEST(ScheduledSampling, RefusesAProbabilityOutsideZeroToOne) {
  Counter counter(1);
  EXPECT_EQ(thrown<ConfigError>([&] { sampled_inputs(counter, targets({{kEnd}}), 1.5, Rng(1)); }),
            "scheduled sampling: probability is 1.5, expected 0 <= p <= 1");
}

}  // namespace
}  // namespace dhyan
