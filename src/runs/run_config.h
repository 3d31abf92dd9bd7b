#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/settings.h"

namespace dhyan {

inline constexpr const char* kDefaultPreset = "rnnsearch";

// What a user asks for about a training.
struct RunSettings {
  std::string preset = {};             // empty: kDefaultPreset
  std::vector<Setting> settings = {};  // the last one of equal names wins
  std::filesystem::path folder = {};   // of the model
  bool resume = false;
  AttentionTables tables = {};  // of the scores that `settings` may name; must outlive the config
};

// The config of the training: defaults for the data, or the settings of init-from, < preset < settings; or, to resume,
// those of the folder < settings. UsageError or ConfigError for what does not go together.
Config run_config(const RunSettings& wanted);

}  // namespace dhyan
