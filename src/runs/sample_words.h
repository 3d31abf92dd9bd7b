#pragma once

#include <filesystem>
#include <vector>

#include "config/config.h"
#include "explain/attention_map.h"
#include "runs/training_history.h"

namespace dhyan {

// A sample as people read it.
struct SampleInWords {
  Index step = 0;
  std::string source, translation, reference;  // lines
  AttentionMap map;                            // between words; without weights of a model that has none
};

// Samples of a folder, whose tokens are joined to words by its tokenizers. A sample stays in tokens where these are not
// in the folder or do not have its tokens. ModelFileError for tokenizers that cannot be read.
std::vector<SampleInWords> samples_in_words(const std::vector<AttentionSample>& samples, const Config& config,
                                            const std::filesystem::path& folder);

}  // namespace dhyan
