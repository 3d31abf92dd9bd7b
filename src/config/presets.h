#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.h"

namespace dhyan {

// The files of presets/, made into a table when the program is built.
struct PresetText {
  std::string_view name;
  std::string_view yaml;  // its first line is a comment that says what it is
};
std::span<const PresetText> preset_texts();

// What the first line says.
std::string_view summary(const PresetText& preset);

// Throws UsageError with the nearest name if there is none such.
std::vector<Setting> preset(std::string_view name);

// What suits the data, whatever the preset, which goes over it: the user's corpora, or the built-in phrasebook.
std::vector<Setting> corpus_settings();
std::vector<Setting> phrasebook_settings();

// How a model of this kind is trained on the phrasebook, over what its preset says for larger corpora.
std::vector<Setting> phrasebook_pace(std::string_view model);

}  // namespace dhyan
