#include "runs/tensorboard_log.h"

#include <gtest/gtest.h>
#include <set>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "interop/tfevents.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

std::set<std::string> event_files(const fs::path& folder) {
  std::set<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) files.insert(entry.path().filename());
  return files;
}

TEST(TensorboardLog, WritesAFileForEachRun) {
  const TemporaryFolder folder;
  const std::vector<NamedScore> scores{{"loss", 2}, {"BLEU", 12.5}};
  for (int run = 0; run < 2; ++run) {
    TensorboardLog log(folder.path());
    log.on_interval({.at = {.step = 50}, .loss = 3, .perplexity = 20});
    log.on_validation({.at = {.step = 100}, .metrics = scores, .best = true});
  }
  const std::set<std::string> files = event_files(folder.path());
  ASSERT_EQ(files.size(), 2u);
  for (const std::string& name : files) {
    EXPECT_TRUE(name.starts_with("events.out.tfevents.")) << name;
    const std::string bytes = folder.read(name);
    for (const char* tag : {"train/loss", "train/perplexity", "train/learning_rate", "train/gradient_norm",
                            "train/update_ratio", "train/tokens_per_second", "valid/loss", "valid/BLEU"}) {
      EXPECT_NE(bytes.find(tag), std::string::npos) << tag;
    }
  }
}

TEST(TensorboardLog, NamesTheFileItCannotWrite) {
  const TemporaryFolder folder;
  EXPECT_THROW(TensorboardLog(folder.path("none")), WriteError);
}

}  // namespace
}  // namespace dhyan
