#include "runs/average.h"

#include "core/error.h"
#include "core/file.h"
#include "runs/folder_lock.h"
#include "training/training_state.h"
#include "translator/model_folder.h"
#include "translator/model_languages.h"

namespace dhyan {

namespace fs = std::filesystem;

namespace {

// The folder of the model that a weight file belongs to.
fs::path folder_of(const fs::path& weights) {
  const fs::path parent = fs::absolute(weights).lexically_normal().parent_path();
  return parent.filename() == kStateFolder ? parent.parent_path() : parent;
}

std::vector<fs::path> kept_in(const fs::path& folder, const AverageRequest& request) {
  const KeptCheckpoints kept = read_training_state(state_file(folder)).kept;
  std::vector<fs::path> files = request.last > 0 ? files_of_last(folder, kept) : files_of_best(folder, kept);
  std::erase_if(files, [](const fs::path& file) { return !fs::exists(file); });
  const Index wanted = std::max(request.last, request.best);
  if (std::ssize(files) < wanted) {
    throw ModelFileError(cat(folder.string(), ": has kept ", files.size(),
                             request.last > 0 ? " of the last" : " of the best", " checkpoints, expected ", wanted,
                             "; train with ", request.last > 0 ? "--keep-last" : "--average", " to keep more"));
  }
  if (request.last > 0) {
    files.erase(files.begin(), files.end() - wanted);
  } else {
    files.resize(static_cast<std::size_t>(wanted));
  }
  return files;
}

void expect_same_tokens(const LoadedModel& model, const fs::path& first, const fs::path& other) {
  const Config config = load_config(other);
  const TokenizerPair tokenizers = load_tokenizers(config.tokenizer.kind, other);
  if (tokenizers.source->fingerprint() == model.tokenizers.source->fingerprint() &&
      tokenizers.target->fingerprint() == model.tokenizers.target->fingerprint()) {
    return;
  }
  throw ModelFileError(cat(other.string(), ": has other tokenizers than ", first.string(),
                           "; averaging needs models with the same tokenizers"));
}

std::string about(const std::vector<fs::path>& files) {
  std::string text = cat(kReadmeHeading, kReadmeIsRewritten, "\nThe mean of the weights in\n\n");
  for (const fs::path& file : files) text += cat("- ", file.string(), '\n');
  return text;
}

}  // namespace

std::vector<fs::path> checkpoints_of(const AverageRequest& request) {
  if (request.last > 0 && request.best > 0) throw UsageError("average: --last and --best do not go together");
  if (request.last > 0 || request.best > 0) {
    if (request.inputs.size() == 1 && fs::is_directory(request.inputs.front())) {
      return kept_in(request.inputs.front(), request);
    }
    throw UsageError("average: --last and --best need the folder of one training");
  }
  if (request.inputs.size() < 2) {
    throw UsageError("average: one file; a mean needs two, or --last or --best of a folder");
  }
  std::vector<fs::path> files;
  for (const fs::path& input : request.inputs) {
    if (!fs::exists(input)) throw ModelFileError(cat(input.string(), ": there is no such file or folder"));
    files.push_back(fs::is_directory(input) ? model_file(input) : input);
  }
  return files;
}

std::vector<std::string> average_models(const std::vector<fs::path>& files, const fs::path& output,
                                        const AveragingOptions& options) {
  for (const fs::path& file : files) expect_another_folder(folder_of(file), output);
  const FolderLock lock(output);
  std::vector<std::string> notes = check_model_folder(output, options.existing);
  if (!lock.warning().empty()) notes.push_back(lock.warning());
  const fs::path first = folder_of(files.front());
  LoadedModel model = load_model(first);
  for (const fs::path& file : files) {
    if (folder_of(file) != first) expect_same_tokens(model, first, folder_of(file));
  }
  load_mean(files, model.model->parameters(), options.poll, options.progress);
  if (options.poll) options.poll();
  const PreparedFolder prepared(output);
  save_model(prepared.path(), model.config, model.tokenizers, *model.model);
  copy_trigrams(first, prepared.path());
  write_file(prepared.path() / kReadmeFile, about(files));
  prepared.commit_model();
  return notes;
}

}  // namespace dhyan
