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
  std::vector<std::filesystem::path> inputs;  // weight files, or folders of models
  Index last = 0;                             // average the last checkpoints of one folder
  Index best = 0;                             // average the best ones
};

// The files to average. UsageError for a contradictory request, ModelFileError if a folder has too few checkpoints.
std::vector<std::filesystem::path> checkpoints_of(const AverageRequest& request);

struct AveragingOptions {
  Existing existing = Existing::kRefuse;
  std::function<void()> poll = {};  // called for every file; may throw to stop before anything is written
  ProgressSink* progress = nullptr;
};

// Writes a model with the mean weights of the files and the config and tokenizers of the first file's folder. The
// output folder changes only once all is written. ModelFileError for damaged or incompatible files, UsageError if
// `output` holds a model that must not be overwritten or that is averaged. Returns notes for the user.
std::vector<std::string> average_models(const std::vector<std::filesystem::path>& files,
                                        const std::filesystem::path& output, const AveragingOptions& options = {});

}  // namespace dhyan
