#pragma once

#include <CLI/CLI.hpp>

#include "core/choice.h"

namespace dhyan::cli {

// An option that takes one of the words of a table.
template <class Choices, class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, const Choices& choices, Value& value,
                        const std::string& help) {
  const auto take = [&value, choices](const std::string& word) {
    for (const auto& choice : choices) {
      if (choice.name == word) value = choice.value;
    }
  };
  return command.add_option_function<std::string>(name, take, help)->check(CLI::IsMember(names_of(choices)));
}

}  // namespace dhyan::cli
