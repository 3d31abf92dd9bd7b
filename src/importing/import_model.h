#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "importing/formats.h"
#include "runs/run_folder.h"

namespace dhyan {

// How imported weights are stored: as floats, or, where the file has int8 values, as those.
enum class ImportedWeights { kFloat, kInt8 };

struct ImportOptions {
  std::string from = {};  // name of a format; empty: by content
  ImportedWeights weights = ImportedWeights::kFloat;
  GivenFiles files = {};
  Existing existing = Existing::kRefuse;
  std::function<void()> poll = {};  // may throw to stop
};

struct ImportReport {
  Config config;
  std::string origin;
  Index weights = 0;                       // numbers
  std::vector<std::string> commands = {};  // examples for this model
  std::vector<std::string> notes = {};
};

// Writes the model of another toolkit as a model folder. The output folder changes only once all is written.
// ModelFileError for a damaged or unknown file, or, naming it, a feature that dhyan does not have.
ImportReport import_model(const std::filesystem::path& source, const std::filesystem::path& output,
                          const ImportOptions& options);

}  // namespace dhyan
