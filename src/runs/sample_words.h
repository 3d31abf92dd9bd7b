#pragma once

#include <filesystem>
#include <vector>

#include "config/config.h"
#include "explain/attention_map.h"
#include "runs/training_history.h"

namespace dhyan {

// A sample in words.
struct SampleInWords {
  Index step = 0;
  std::string source, translation, reference;  // lines
  AttentionMap map;                            // between words; without weights if the model has no attention
};

// Joins the tokens of a folder's samples into words with its tokenizers. Samples stay in tokens if the tokenizers are
// missing or lack a token. ModelFileError for unreadable tokenizers.
std::vector<SampleInWords> samples_in_words(const std::vector<AttentionSample>& samples, const Config& config,
                                            const std::filesystem::path& folder);

}  // namespace dhyan
