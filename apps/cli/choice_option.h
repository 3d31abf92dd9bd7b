#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "core/choice.h"
#include "core/error.h"
#include "core/real.h"

namespace dhyan::cli {

// Accepts the names in a table.
template <class Table>
CLI::Validator one_of(const Table& table) {
  return CLI::IsMember(names_of(table));
}

// A line for each entry of a table, for help.
template <class Table>
std::string described(const Table& table) {
  std::string text;
  for (const auto& entry : table) text += cat("\n  ", entry.name, ": ", entry.description);
  return text;
}

// An option that takes one of the words of a table.
template <class Choices, class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, const Choices& choices, Value& value,
                        const std::string& help) {
  const auto take = [&value, choices](const std::string& word) {
    for (const auto& choice : choices) {
      if (choice.name == word) value = choice.value;
    }
  };
  return command.add_option_function<std::string>(name, take, help)->check(one_of(choices));
}

// An option that takes a number from 1 on, or the word all; `given` becomes true for both.
inline CLI::Option* add_number_or_all(CLI::App& command, const std::string& name, std::optional<Index>& value,
                                      const std::string& help, bool* given = nullptr) {
  const auto take = [&value, given](const std::string& word) {
    if (word != "all") value = std::stoll(word);
    if (given != nullptr) *given = true;
  };
  const auto wrong = [](const std::string& word) {
    const bool is_right = word == "all" || CLI::Range(1, 1 << 20)(word).empty();
    return is_right ? "" : cat("'", word, "' is neither a number from 1 on nor 'all'");
  };
  return command.add_option_function<std::string>(name, take, help)->type_name("N|all")->check(wrong, "", "");
}

}  // namespace dhyan::cli
