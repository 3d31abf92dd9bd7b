// `dhyan quantize` as a shell sees it, and other commands with an int8 model.

#include <gtest/gtest.h>

#include "core/error.h"
#include "process.h"
#include "tiny_training.h"

namespace dhyan {
namespace {

class QuantizeCommand : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  void SetUp() override {
    const Finished trained = run(tiny_training(
        corpus_, "model", {"--max-epochs", "3", "--hidden", "16", "--embedding", "16", "--readout-hidden", "16"}));
    ASSERT_EQ(trained.code, 0) << trained.error;
  }

  Finished dhyan(Words words, std::string_view input = {}) const {
    words.insert(words.begin(), kBinary);
    return run(words, {}, input);
  }
  Finished quantize(const Words& more = {}) const {
    Words words{"quantize", path("model"), "-o", path("int8")};
    words.insert(words.end(), more.begin(), more.end());
    return dhyan(words);
  }
  std::string path(std::string_view name) const { return corpus_.path(name); }

  TinyCorpus corpus_;
};

TEST_F(QuantizeCommand, WritesAModelThatEveryCommandReads) {
  const Finished made = quantize();
  EXPECT_EQ(made.code, 0) << made.error;
  EXPECT_TRUE(has(made.out, cat("The model with 8-bit weights is in ", path("int8"), ": ")));
  EXPECT_TRUE(has(made.out, cat("dhyan translate -m ", path("int8"))));

  const Finished table = dhyan({"inspect", path("int8/model.safetensors")});
  EXPECT_TRUE(has(table.out, " I8     [64,32] "));
  EXPECT_TRUE(has(table.out, "readout.weight.scales          F32    [1,32] "));
  EXPECT_TRUE(has(table.out, "\nquantization: int8\n"));

  for (const char* model : {"model", "int8"}) {
    const Finished translated = dhyan({"translate", "-m", path(model)}, "एक दो हैं\n");
    EXPECT_EQ(translated.code, 0) << translated.error;
    EXPECT_FALSE(translated.out.empty());
    EXPECT_EQ(dhyan({"explain", "-m", path(model), "एक दो हैं"}).code, 0);
    const Finished evaluated = dhyan({"evaluate", "-m", path(model), "--test", path("dev.hi"), path("dev.en")});
    EXPECT_TRUE(has(evaluated.out, "perplexity"));
  }
  EXPECT_EQ(dhyan({"translate", "-m", path("model"), "-m", path("int8")}, "एक दो\n").code, 0) << "as one of two models";
}

TEST_F(QuantizeCommand, RefusesToOverwriteOrQuantizeTwice) {
  EXPECT_EQ(quantize().code, 0);
  const Finished again = quantize();
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(has(again.error, "int8: holds a model; --overwrite replaces it, -o names another folder"));
  EXPECT_EQ(quantize({"--overwrite"}).code, 0);
  const Finished itself = dhyan({"quantize", path("model"), "-o", path("model"), "--overwrite"});
  EXPECT_EQ(itself.code, 2);
  EXPECT_TRUE(has(itself.error, "model: is the model itself; -o names another folder"));
  const Finished twice = dhyan({"quantize", path("int8"), "-o", path("more")});
  EXPECT_EQ(twice.code, 3);
  EXPECT_TRUE(has(twice.error, "its weights are int8"));
  EXPECT_EQ(dhyan({"quantize", path("none"), "-o", path("more")}).code, 3);
  EXPECT_FALSE(std::filesystem::exists(path("more")));
}

TEST_F(QuantizeCommand, WritesAModelThatIsNotAveragedExportedOrResumed) {
  EXPECT_EQ(quantize().code, 0);
  for (const Words& words : {Words{"average", path("int8"), path("model"), "-o", path("new")},
                             Words{"average", path("model"), path("int8"), "-o", path("new")},
                             Words{"export", path("int8"), "--to", "ctranslate2", "-o", path("new")}}) {
    const Finished refused = dhyan(words);
    EXPECT_EQ(refused.code, 3) << words[0];
    EXPECT_TRUE(has(refused.error, "use the model that they were made from"));
  }
  const Finished resumed = dhyan({"train", "--resume", "-o", path("int8")});
  EXPECT_EQ(resumed.code, 3);
  EXPECT_TRUE(has(resumed.error, "--init-from starts another training with this model"));
  EXPECT_FALSE(std::filesystem::exists(path("new")));
}

TEST_F(QuantizeCommand, WritesAModelThatAnotherTrainingStartsFrom) {
  EXPECT_EQ(quantize().code, 0);
  const Finished trained = dhyan({"train", "--init-from", path("int8"), "--train", path("train.hi"), path("train.en"),
                                  "-o", path("new"), "--max-epochs", "1"});
  EXPECT_EQ(trained.code, 0) << trained.error;
  EXPECT_TRUE(has(trained.error, "matrices are int8; training starts from their rounded values"));
  EXPECT_FALSE(has(dhyan({"inspect", path("new/model.safetensors")}).out, "I8"));
}

}  // namespace
}  // namespace dhyan
