#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "runs/run_folder.h"
#include "translator/model_folder.h"

namespace dhyan {

// The model with each adapter added to its weight, and none left ([hu2022] section 4.1). A model without adapters stays
// as it is. ModelFileError for int8 weights.
LoadedModel without_adapters(LoadedModel loaded);

// Writes the model of a folder so to another folder, which changes only once all is written. UsageError if both are the
// same, if the model has no adapters, or if `output` holds a model that must not be overwritten. `poll` may throw to
// stop. Returns notes for the user.
std::vector<std::string> merge_adapters(const std::filesystem::path& folder, const std::filesystem::path& output,
                                        Existing existing, const std::function<void()>& poll = {});

}  // namespace dhyan
