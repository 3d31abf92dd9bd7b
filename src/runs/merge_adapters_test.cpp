#include "runs/merge_adapters.h"

#include "models/testing/tiny_models.h"
#include "nn/adapters.h"
#include "runs/quantize.h"
#include "runs/testing/training_runs.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

// Training of adapters of rank 2 that starts from the model in `general`.
class Adapters : public TrainingRuns {
 protected:
  Adapters() {
    config_.model = "transformer";
    config_.common.attention = {.score = "scaled_dot", .heads = 2};
    config_.common.hidden = 16;
    config_.transformer.feed_forward = 24;
    train({.folder = model("general")});
    config_.init_from = model("general");
    config_.common.adapter.rank = 2;
  }

  static double nll_of_pairs(const LoadedModel& loaded) {
    const std::vector<ExampleSize> sizes{{5, 4}, {2, 3}};
    return nll_of(*loaded.model,
                  random_pairs(3, sizes, loaded.tokenizers.source->size(), loaded.tokenizers.target->size()));
  }
};

TEST_F(Adapters, AreAllThatTrainingChanges) {
  train({.folder = model()});
  const LoadedModel general = load_model(model("general")), adapted = load_model(model());
  std::size_t adapters = 0;
  for (const Parameter& parameter : adapted.model->parameters()) {
    const Parameter* was = general.model->parameters().find(parameter.name);
    if (was != nullptr) {
      EXPECT_TRUE(std::ranges::equal(parameter.value.span(), was->value.span())) << parameter.name;
      continue;
    }
    ASSERT_TRUE(is_adapter(parameter.name)) << parameter.name;
    ++adapters;
    EXPECT_TRUE(std::ranges::any_of(parameter.value.span(), [](Real x) { return x != 0; })) << parameter.name;
  }
  EXPECT_EQ(adapters, 2u * (6 + 10)) << "an encoder layer has 6 weights, a decoder layer 10";
  EXPECT_NE(nll_of_pairs(adapted), nll_of_pairs(general));
}

TEST_F(Adapters, GiveTheSameBytesOnAnyNumberOfThreadsAndWhenResumed) {
  train({.folder = model(), .threads = 1});
  train({.folder = model("threads"), .threads = 3});
  EXPECT_EQ(weights("threads"), weights("model"));
  train({.folder = model("stopped"), .threads = 2}, 4);
  train({.folder = model("stopped"), .existing = Existing::kResume, .threads = 2});
  EXPECT_EQ(weights("stopped"), weights("model"));
}

TEST_F(Adapters, AreMergedIntoWeightsThatComputeTheSame) {
  train({.folder = model()});
  EXPECT_TRUE(merge_adapters(model(), model("merged"), Existing::kRefuse).empty());
  const LoadedModel adapted = load_model(model()), merged = load_model(model("merged"));
  EXPECT_EQ(merged.config.common.adapter.rank, 0);
  EXPECT_EQ(merged.model->parameters().count(), load_model(model("general")).model->parameters().count());
  EXPECT_NEAR(nll_of_pairs(merged), nll_of_pairs(adapted), kClose);
  EXPECT_EQ(thrown<UsageError>([&] { merge_adapters(model("merged"), model("again"), Existing::kRefuse); }),
            model("merged") + ": the model has no adapters to merge (train --adapter-rank)");
  EXPECT_FALSE(fs::exists(model("again"))) << "nothing was made";
}

TEST_F(Adapters, AreMergedBeforeAModelIsQuantized) {
  train({.folder = model()});
  merge_adapters(model(), model("merged"), Existing::kRefuse);
  quantize_model(model(), model("int8"), Existing::kRefuse);
  quantize_model(model("merged"), model("merged int8"), Existing::kRefuse);
  EXPECT_EQ(weights("int8"), weights("merged int8"));
}

TEST_F(Adapters, NeedATrainedModelAndAreNotLost) {
  config_.init_from.clear();
  EXPECT_EQ(refusal<ConfigError>(),
            "adapter-rank is 2, and adapters change a trained model; expected init-from with its folder");
  config_.init_from = model("general");
  train({.folder = model("adapted")});
  config_.init_from = model("adapted");
  config_.common.adapter.rank = 0;
  EXPECT_EQ(refusal<ConfigError>(),
            cat(model("adapted"),
                ": has adapters that this training would not use; keep their adapter-rank, or merge them into the "
                "weights first: dhyan merge ",
                model("adapted"), " -o FOLDER"));
}

}  // namespace
}  // namespace dhyan
