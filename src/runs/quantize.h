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
  std::vector<std::string> notes = {};               // for the user
};

// Writes the model of a folder with int8 weights, for inference, to another folder; its README.md names the
// original. Adapters are merged first. The output folder changes only once all is written. ModelFileError for a damaged
// or already quantized model, UsageError if both folders are the same or `output` holds a model that must not be
// overwritten. `poll` may throw to stop.
QuantizedModel quantize_model(const std::filesystem::path& folder, const std::filesystem::path& output,
                              Existing existing, const std::function<void()>& poll = {});

}  // namespace dhyan
