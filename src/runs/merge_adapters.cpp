#include "runs/merge_adapters.h"

#include "config/model_kinds.h"
#include "core/error.h"
#include "interop/checksum.h"
#include "interop/parameter_file.h"
#include "runs/folder_lock.h"
#include "runs/readme.h"
#include "translator/model_languages.h"

namespace dhyan {

namespace fs = std::filesystem;

LoadedModel without_adapters(LoadedModel loaded) {
  if (loaded.config.common.adapter.rank == 0) return loaded;
  loaded.config.common.adapter = {};
  const std::unique_ptr<Model> adapted = std::move(loaded.model);
  loaded.model = make_model(loaded.config, loaded.tokenizers, Rng::unused());
  for (Parameter& parameter : loaded.model->parameters()) {
    const Parameter& was = *adapted->parameters().find(parameter.name);
    parameter.value = was.adapter ? merged(was) : was.value.clone();
  }
  return loaded;
}

std::vector<std::string> merge_adapters(const fs::path& folder, const fs::path& output, Existing existing,
                                        const std::function<void()>& poll) {
  expect_another_folder(folder, output);
  const FolderLock lock(output);
  std::vector<std::string> notes = check_model_folder(output, existing);
  if (!lock.warning().empty()) notes.push_back(lock.warning());
  LoadedModel loaded = load_model(folder);
  if (loaded.config.common.adapter.rank == 0) {
    throw UsageError(cat(folder.string(), ": the model has no adapters to merge (train --adapter-rank)"));
  }
  expect_full_precision(folder / kWeightsFile);
  expect_intact(folder / kWeightsFile);
  const LoadedModel plain = without_adapters(std::move(loaded));
  if (poll) poll();
  const PreparedFolder prepared(output);
  save_model(prepared.path(), plain.config, plain.tokenizers, *plain.model);
  plain.expect_weights_unchanged();
  copy_trigrams(folder, prepared.path());
  write_file(prepared.path() / kReadmeFile,
             cat(kReadmeHeading, kReadmeIsRewritten, "\nThe model of ", folder.string(),
                 " with its adapters merged into its weights. Made by\n\n    dhyan merge ", folder.string(), " -o ",
                 output.string(), '\n'));
  if (poll) poll();
  prepared.commit_model();
  return notes;
}

}  // namespace dhyan
