#include "server/model_set.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "server/api_error.h"
#include "server/testing/small_models.h"
#include "translator/folder_contents.h"

namespace dhyan::server {
namespace {

namespace fs = std::filesystem;

// A model with checkpoints of steps 1 to 6.
std::vector<ModelSpec> with_checkpoints(const SmallModels& models) {
  const fs::path folder = models.folder().path("rnn");
  fs::create_directory(folder / kStateFolder);
  for (int step = 1; step <= 6; ++step) {
    fs::copy_file(folder / kWeightsFile, folder / kStateFolder / cat("step-", step, ".safetensors"));
  }
  return {models.specs().front()};
}

TEST(ModelSet, KeepsTheFourCheckpointsUsedLast) {
  const SmallModels folders;
  const ModelSet models(with_checkpoints(folders));
  EXPECT_FALSE(models.must_load("rnn"));
  for (const char* name : {"rnn@1", "rnn@2", "rnn@3", "rnn@4"}) {
    EXPECT_TRUE(models.must_load(name));
    EXPECT_EQ(models.named(name)->name(), name);
  }
  const auto first = models.named("rnn@1");
  EXPECT_EQ(models.named("rnn@5")->name(), "rnn@5");
  EXPECT_EQ(models.named("rnn@1"), first) << "it was used after rnn@2";
  EXPECT_TRUE(models.must_load("rnn@2"));
  for (const char* name : {"rnn@1", "rnn@3", "rnn@4", "rnn@5"}) EXPECT_FALSE(models.must_load(name)) << name;
}

TEST(ModelSet, HasOnlyCheckpointsThatTrainingKept) {
  const SmallModels folders;
  const ModelSet models(with_checkpoints(folders));
  for (const char* name : {"rnn@7", "rnn@-1", "rnn@", "rnn@1x", "other@1"}) {
    EXPECT_THROW(models.named(name), ApiError) << name;
  }
}

TEST(ModelSet, TakesAnAlignerOnlyIfNoOtherModelTranslates) {
  const SmallModels folders;
  const std::string folder = folders.folder().path("aligner");
  make_small_transformer(folder, "aligner");
  Config config = load_config(folder);
  config.data.source_language = "hi";
  config.data.target_language = "en";
  save_config(folder, config);
  const std::vector<ModelSpec> both{model_spec(folder), folders.specs().front()}, alone{model_spec(folder)};
  const ModelSet models(both), aligner(alone);
  EXPECT_EQ(models.first(Task::kTranslate)->name(), "rnn");
  EXPECT_EQ(models.between("hi", "en")->name(), "rnn");
  EXPECT_EQ(models.named("aligner")->name(), "aligner");
  EXPECT_EQ(aligner.first(Task::kTranslate)->name(), "aligner");
  EXPECT_EQ(aligner.between("hi", "en")->name(), "aligner");
}

}  // namespace
}  // namespace dhyan::server
