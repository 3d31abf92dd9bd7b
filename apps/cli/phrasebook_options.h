#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "phrasebook/phrasebook.h"

namespace dhyan::cli {

// --max-words of commands that read the phrasebook; a training has an option of the same name and range.
inline CLI::Option* add_max_words_option(CLI::App& command, std::optional<Index>& max_words) {
  return command.add_option("--max-words", max_words, "Longest sentences of the phrasebook, in words of the source")
      ->type_name("N")
      ->check(CLI::Range(kFewestWords, kMostWords));
}

inline void add_split_option(CLI::App& command, std::string& split) {
  command.add_option("--split", split, "Part of the corpus to print")
      ->check(CLI::IsMember({"train", "dev", "test"}))
      ->capture_default_str();
}

inline Part part_named(const std::string& name) {
  if (name == "dev") return Part::kDev;
  return name == "test" ? Part::kTest : Part::kTrain;
}

}  // namespace dhyan::cli
