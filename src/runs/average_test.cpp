#include "runs/average.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "interop/safetensors.h"
#include "runs/testing/tiny_run.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

class Averages : public testing::Test {
 protected:
  void train(const std::string& name) {
    RunObserver nobody;
    TrainingRun run(config_, {.folder = corpus_.path(name)}, nobody);
    run.run([] { return false; });
  }
  fs::path folder(std::string_view name) const { return corpus_.path(name); }

  // The first element of the last parameter.
  static Real weight_in(const fs::path& file) {
    const SafetensorsFile opened(file);
    return opened.read(opened.entries().back()).span()[0];
  }

  TinyCorpus corpus_;
  Config config_ = corpus_.config();
};

TEST_F(Averages, AreCompleteModelsForTheLastAndTheBestCheckpoints) {
  config_.training.keep_last = 3;
  config_.training.average = 2;
  train("model");
  for (const auto& [last, best] : {std::pair<Index, Index>{2, 0}, {0, 2}}) {
    const std::vector<fs::path> files = checkpoints_of({.inputs = {folder("model")}, .last = last, .best = best});
    ASSERT_EQ(files.size(), 2u);
    const fs::path output = folder(last > 0 ? "last" : "best");
    average_models(files, output);
    EXPECT_NEAR(weight_in(output / "model.safetensors"), (weight_in(files[0]) + weight_in(files[1])) / 2, 1e-6);
    const LoadedModel loaded = load_model(output);
    EXPECT_EQ(loaded.config.model, "recurrent");
  }
  EXPECT_EQ(thrown<ModelFileError>([&] { checkpoints_of({.inputs = {folder("model")}, .last = 7}); }),
            folder("model").string() +
                ": has kept 3 of the last checkpoints, expected 7; train with --keep-last to keep more");
  EXPECT_THROW(average_models(checkpoints_of({.inputs = {folder("model")}, .last = 2}), folder("last")), UsageError)
      << "there is a model";
}

TEST_F(Averages, NeedEqualVocabulariesAndShapes) {
  train("a");
  config_.training.seed = 2;
  train("b");
  average_models(checkpoints_of({.inputs = {folder("a"), folder("b") / "model.safetensors"}}), folder("mean"));
  EXPECT_NEAR(weight_in(folder("mean") / "model.safetensors"),
              (weight_in(folder("a") / "model.safetensors") + weight_in(folder("b") / "model.safetensors")) / 2, 1e-6);
  config_.tokenizer.kind = "char";
  train("letters");
  EXPECT_THROW(average_models(checkpoints_of({.inputs = {folder("a"), folder("letters")}}), folder("no")),
               ModelFileError);
  config_ = corpus_.config();
  config_.common.hidden = 9;
  train("wider");
  EXPECT_THROW(average_models(checkpoints_of({.inputs = {folder("a"), folder("wider")}}), folder("no")),
               ModelFileError);
  EXPECT_FALSE(fs::exists(folder("no"))) << "nothing was made";
}

TEST_F(Averages, NeedMoreThanOneFile) {
  EXPECT_THROW(checkpoints_of({.inputs = {"a.safetensors"}}), UsageError);
  EXPECT_THROW(checkpoints_of({.inputs = {"a.safetensors"}, .last = 2}), UsageError);
  EXPECT_THROW(checkpoints_of({.inputs = {"a"}, .last = 2, .best = 2}), UsageError);
  EXPECT_EQ(thrown<ModelFileError>([&] {
              checkpoints_of({.inputs = {corpus_.path("train.hi"), "nosuch"}});
            }),
            "nosuch: there is no such file or folder");
}

}  // namespace
}  // namespace dhyan
