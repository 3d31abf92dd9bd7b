#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "phrasebook/phrasebook.h"

namespace dhyan::cli {

// --max-words of commands that read the phrasebook; a training has an option of the same name and range.
inline CLI::Option* add_max_words_option(CLI::App& command, std::optional<Index>& max_words) {
  return command.add_option("--max-words", max_words, "Longest sentences of the phrasebook, in words of the source")
      ->type_name("N")
      ->check(CLI::Range(kFewestWords, kMostWords));
}

}  // namespace dhyan::cli
