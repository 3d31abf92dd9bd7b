#include "translator/run_folder.h"

#include "core/error.h"
#include "core/file.h"
#include "training/trainer.h"
#include "translator/model_folder.h"

namespace dhyan {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPreparedFolder = "training.new";

bool holds_a_model(const fs::path& folder) {
  return fs::exists(folder / kConfigFile) || fs::exists(folder / kStateFolder);
}

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

void check_folder(const fs::path& folder, Existing existing) {
  if (existing == Existing::kResume && !Trainer::can_resume(folder)) {
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

}  // namespace dhyan
