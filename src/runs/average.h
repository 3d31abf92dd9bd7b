#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/real.h"
#include "runs/run_folder.h"

namespace dhyan {

struct AverageRequest {
  std::vector<std::filesystem::path> inputs;  // files of weights, or folders of models
  Index last = 0;                             // of one folder, the last so many checkpoints it kept
  Index best = 0;                             // or the best
};

// The files whose mean is wanted. UsageError for a request that makes no sense, ModelFileError if a folder has not kept
// as many.
std::vector<std::filesystem::path> checkpoints_of(const AverageRequest& request);

struct AveragingOptions {
  Existing existing = Existing::kRefuse;
  std::function<void()> poll = {};  // called for every file; may throw, to stop before anything is written
  ProgressSink* progress = nullptr;
};

// A model whose weights are the mean of those in the files, with the config and the tokenizers of the first one's
// folder. The folder is what it was until all is written. ModelFileError for files that do not fit together or are
// damaged, UsageError if there is a model in `output` that is not to be overwritten, or one of those averaged. Returns
// what the user should know.
std::vector<std::string> average_models(const std::vector<std::filesystem::path>& files,
                                        const std::filesystem::path& output, const AveragingOptions& options = {});

}  // namespace dhyan
