#pragma once

#include <filesystem>
#include <string>

namespace dhyan {

// A self-contained HTML page about the training of the model in a folder: curves, scores, attention over time, options.
// Its inputs are config.json, train.jsonl and, if they exist, README.md, evaluation.json (the output of dhyan evaluate
// --json) and training/samples.jsonl. ModelFileError or DataError for unreadable files.
std::string training_report(const std::filesystem::path& folder);

}  // namespace dhyan
