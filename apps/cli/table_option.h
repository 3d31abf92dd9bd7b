#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

#include "config/option.h"
#include "core/error.h"

namespace dhyan::cli {

// The name of an option's value in the help.
template <class Target>
std::string help_value(const OptionOf<Target>& option) {
  if (!option.value.empty()) return option.value;
  if (option.kind != OptionKind::kNumber) return "NAME";
  return option.expected.starts_with("a whole number") ? "N" : "X";
}

// A setting of the command line; a value that was left out is what the option alone stands for.
template <class Target>
Setting command_line_setting(const OptionOf<Target>& option, std::vector<std::string> values) {
  if (values.size() == 1 && values.front().empty() && !option.alone.empty()) values.front() = option.alone;
  return {"--" + option.name, option.name, std::move(values), Origin::kCommandLine};
}

// Refuses a value before the parser looks at other options.
template <class Target>
CLI::Validator validator(const OptionOf<Target>& option) {
  if (!option.choices.empty()) return CLI::IsMember(option.choices);
  const auto wrong = [&option](const std::string& text) -> std::string {
    if (option.expected.empty()) return "";
    try {
      Target scratch;
      option.set(scratch, command_line_setting(option, {text}));
      return "";
    } catch (const UsageError&) {
      return cat("expected ", option.expected, ", got '", text, "'");
    }
  };
  return CLI::Validator(wrong, "");
}

// Adds one row of a table, which must outlive the command. `target` is given the value, and has the default.
template <class Target>
CLI::Option* add_table_option(CLI::App& command, const OptionOf<Target>& option, Target& target) {
  std::string names = "--" + option.name;
  for (const std::string& alias : option.aliases) names += "," + alias;
  if (option.kind == OptionKind::kSwitch) {
    const auto take = [&](std::int64_t count) {
      option.set(target, command_line_setting(option, {count > 0 ? "true" : "false"}));
    };
    return command.add_flag_function(names, take, option.help);
  }
  if (is_list(option.kind)) {
    const auto take = [&](const std::vector<std::string>& values) {
      option.set(target, command_line_setting(option, values));
    };
    return command.add_option_function<std::vector<std::string>>(names, take, option.help)
        ->type_name(help_value(option))
        ->allow_extra_args(false);
  }
  const auto take = [&](const std::string& text) { option.set(target, command_line_setting(option, {text})); };
  CLI::Option* added = command.add_option_function<std::string>(names, take, option.help);
  added->type_name(help_value(option))->check(validator(option));
  if (!option.alone.empty()) return added->expected(0, 1)->default_str(option.alone);
  const bool help_has_default = option.help.find("(default: ") != option.help.npos;
  return help_has_default ? added : added->default_str(option.get(target).front());
}

}  // namespace dhyan::cli
