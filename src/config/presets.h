#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/settings.h"

namespace dhyan {

// The files of presets/, compiled into the program.
struct PresetText {
  std::string_view name;
  std::string_view yaml;  // its first line is a comment that describes it
};
std::span<const PresetText> preset_texts();

// The text of the comment in the first line.
std::string_view summary(const PresetText& preset);

// Throws UsageError with the nearest name for an unknown one.
std::vector<Setting> preset(std::string_view name);

// Defaults for training on the user's corpora or on the built-in phrasebook; a preset overrides them.
std::vector<Setting> corpus_settings();
std::vector<Setting> phrasebook_settings();

// Settings for training the config's kind of model on the phrasebook; they override its preset, which is for larger
// corpora.
std::vector<Setting> phrasebook_pace(const Config& config);

// Where a training starts from: the defaults for a built-in corpus or for the user's, overridden by a preset.
enum class CorpusOf { kUser, kBuiltIn };
Config config_of(std::string_view preset_name, CorpusOf corpus);

}  // namespace dhyan
