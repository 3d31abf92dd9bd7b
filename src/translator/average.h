#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/real.h"

namespace dhyan {

struct AverageRequest {
  std::vector<std::filesystem::path> inputs;  // files of weights, or folders of models
  Index last = 0;                             // of one folder, the last so many checkpoints it kept
  Index best = 0;                             // or the best
};

// The files whose mean is wanted. UsageError for a request that makes no sense, ModelFileError if a folder has not kept
// as many.
std::vector<std::filesystem::path> checkpoints_of(const AverageRequest& request);

// A model whose weights are the mean of those in the files, with the config and the tokenizers of the first one's
// folder; its own folder is new. ModelFileError for files that do not fit together, UsageError if there is a model in
// `output` already.
void average_models(const std::vector<std::filesystem::path>& files, const std::filesystem::path& output);

}  // namespace dhyan
