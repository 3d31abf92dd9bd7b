#pragma once

#include <filesystem>
#include <string>

namespace dhyan {

// A page about the training of the model in a folder, that needs nothing but itself: curves, scores, how attention
// sharpened, every option. It is made of config.json, train.jsonl and, where they are, README.md, evaluation.json (what
// dhyan evaluate --json prints) and training/samples.jsonl. ModelFileError or DataError for what cannot be read.
std::string training_report(const std::filesystem::path& folder);

}  // namespace dhyan
