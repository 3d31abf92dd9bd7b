#include "translator/run_folder.h"

#include <vector>

#include "core/error.h"
#include "interop/parameter_file.h"
#include "training/trainer.h"
#include "translator/model_folder.h"

namespace dhyan {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPreparedFolder = "training.new";

// Nothing but what a training writes.
void remove_model(const fs::path& folder) {
  for (const char* name : {"config.json", "model.safetensors", "train.log", "train.jsonl", "README.md"}) {
    fs::remove(folder / name);
  }
  for (const char* side : {"source", "target", "shared"}) {
    for (const char* ending : {".model", ".vocab"}) fs::remove(folder / cat(side, ending));
  }
  for (const ValidationMetric& metric : validation_metrics()) {
    fs::remove(folder / cat("model-best-", metric.name, ".safetensors"));
  }
  fs::remove_all(folder / kStateFolder);
}

}  // namespace

bool holds_a_model(const fs::path& folder) {
  return fs::exists(folder / kConfigFile) || fs::exists(folder / kStateFolder);
}

void check_folder(const fs::path& folder, Existing existing) {
  if (existing == Existing::kResume && !Trainer::can_resume(folder)) {
    if (fs::exists(folder / kWeightsFile)) expect_full_precision(folder / kWeightsFile);
    throw ModelFileError(cat(folder.string(), ": there is no training to go on with"));
  }
  if (existing == Existing::kRefuse && holds_a_model(folder)) {
    throw UsageError(cat(folder.string(),
                         ": holds a model; --resume goes on with its training, --overwrite begins anew,"
                         " -o names another folder"));
  }
}

PreparedFolder::PreparedFolder(const fs::path& folder) : folder_(folder), was_there_(fs::exists(folder)) {
  create_folder(folder_);
  fs::remove_all(path());
  create_folder(path());
}

PreparedFolder::~PreparedFolder() {  // removing fails or not: there is nothing more to be done
  std::error_code ignored;
  fs::remove_all(path(), ignored);
  if (!was_there_) fs::remove(folder_, ignored);  // if it is empty
}

fs::path PreparedFolder::path() const { return folder_ / kPreparedFolder; }

void PreparedFolder::commit() const {
  remove_model(folder_);
  fs::rename(path(), folder_ / kStateFolder);
}

void PreparedFolder::commit_model() const {
  remove_model(folder_);
  const std::vector<fs::directory_entry> files(fs::directory_iterator(path()), fs::directory_iterator{});
  const auto move = [&](const fs::path& name) { fs::rename(path() / name, folder_ / name); };
  for (const fs::directory_entry& file : files) {
    if (file.path().filename() != kConfigFile) move(file.path().filename());
  }
  move(kConfigFile);  // last: a folder without it is no model
}

}  // namespace dhyan
