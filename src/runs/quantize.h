#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "config/config.h"
#include "runs/run_folder.h"

namespace dhyan {

struct QuantizedModel {
  Config config;
  std::uintmax_t bytes_before = 0, bytes_after = 0;  // of the weights
  std::vector<std::string> notes = {};               // what the user should know
};

// The model of a folder with weights of 8 bits, which is for use alone, in another folder; its README.md says of what
// it was made. The folder is what it was until all is written. ModelFileError for a model that is of 8 bits already
// or damaged, UsageError if the folders are one, or if there is a model in `output` that is not to be overwritten.
// `poll` may throw, to stop.
QuantizedModel quantize_model(const std::filesystem::path& folder, const std::filesystem::path& output,
                              Existing existing, const std::function<void()>& poll = {});

}  // namespace dhyan
