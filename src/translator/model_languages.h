#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "config/config.h"
#include "text/trigram_profile.h"

namespace dhyan {

// The trigrams of both sides of the text that a model was trained on. A side of pictures has none; a language model
// has a source only.
struct SideTrigrams {
  TrigramProfile source = {}, target = {};

  friend bool operator==(const SideTrigrams&, const SideTrigrams&) = default;
};

// Their file in a model's folder:
//   {"source": {"total": 240, "commonest": {" th": 12, "the": 9, ...}}, "target": ...}
// A side without text is missing.
inline constexpr std::string_view kTrigramsFile = "trigrams.json";
std::string to_json(const SideTrigrams& sides);

// ModelFileError, naming the place, for text that to_json() cannot have written.
SideTrigrams parse_trigrams(std::string_view text, std::string_view where);

void save_trigrams(const std::filesystem::path& folder, const SideTrigrams& sides);

// Copies the file, if there is one, for a model made from another one.
void copy_trigrams(const std::filesystem::path& from, const std::filesystem::path& to);

// The languages of a model as recorded in its folder; older folders record none.
struct ModelLanguages {
  std::optional<std::string> source, target;  // codes: "hi", "pt-BR"
  std::optional<TrigramProfile> source_trigrams = {}, target_trigrams = {};
};
ModelLanguages languages_of(const std::filesystem::path& folder, const Config& config);

}  // namespace dhyan
