// `dhyan train --adapter-rank` and `dhyan merge` as a shell sees them.

#include <gtest/gtest.h>

#include "core/error.h"
#include "process.h"
#include "tiny_training.h"

namespace dhyan {
namespace {

class MergeCommand : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  void SetUp() override {
    const Finished trained = train("general", {"--preset", "transformer-tiny", "--hidden", "8", "--feed-forward", "8",
                                               "--encoder-layers", "1", "--decoder-layers", "1"});
    ASSERT_EQ(trained.code, 0) << trained.error;
  }

  Finished train(const std::string& model, const Words& more) const {
    Words words{kBinary, "train", "-o", path(model)};
    words.insert(words.end(), {"--train", path("train.hi"), path("train.en"), "--max-steps", "3", "--threads", "1"});
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  static Finished dhyan(Words words, std::string_view input = {}) {
    words.insert(words.begin(), kBinary);
    return run(words, {}, input);
  }
  std::string path(std::string_view name) const { return corpus_.path(name); }

  TinyCorpus corpus_;
};

TEST_F(MergeCommand, WritesAModelThatTranslatesAsTheOneWithAdapters) {
  const Finished tuned = train("tuned", {"--init-from", path("general"), "--adapter-rank", "2"});
  ASSERT_EQ(tuned.code, 0) << tuned.error;
  EXPECT_TRUE(has(corpus_.folder().read("tuned/config.json"), "\"learning-rate\": 0.0003")) << "the rate of adapters";
  const Finished table = dhyan({"inspect", path("tuned/model.safetensors")});
  EXPECT_TRUE(has(table.out, "encoder.0.self.query.weight.adapter.down")) << table.out;

  const Finished merged = dhyan({"merge", path("tuned"), "-o", path("merged")});
  EXPECT_EQ(merged.code, 0) << merged.error;
  EXPECT_TRUE(has(merged.out, cat("The model with merged adapters is in ", path("merged"), ".\n")));
  EXPECT_FALSE(has(dhyan({"inspect", path("merged/model.safetensors")}).out, ".adapter."));
  const Finished before = dhyan({"translate", "-m", path("tuned")}, "एक दो हैं\n");
  const Finished after = dhyan({"translate", "-m", path("merged")}, "एक दो हैं\n");
  EXPECT_EQ(before.code, 0) << before.error;
  EXPECT_EQ(after.out, before.out);
}

TEST_F(MergeCommand, RefusesAModelWithoutAdaptersAndAdaptersWithoutAModel) {
  const Finished plain = dhyan({"merge", path("general"), "-o", path("merged")});
  EXPECT_EQ(plain.code, 2);
  EXPECT_TRUE(has(plain.error, "the model has no adapters to merge")) << plain.error;
  const Finished fresh = train("fresh", {"--preset", "transformer-tiny", "--adapter-rank", "2"});
  EXPECT_NE(fresh.code, 0);
  EXPECT_TRUE(has(fresh.error, "adapter-rank is 2, and adapters change a trained model")) << fresh.error;
}

}  // namespace
}  // namespace dhyan
