#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.h"
#include "core/choice.h"

namespace dhyan {

enum class OptionKind { kWord, kNumber, kSwitch, kWords, kNumbers };

struct NumberRange {
  double low = 0, high = 0;  // infinity: any number from `low` on
  bool whole = false;
};

inline bool is_list(OptionKind kind) { return kind == OptionKind::kWords || kind == OptionKind::kNumbers; }

// A field of the struct Target and its name: the key in files and in JSON, and with -- on the command line. A table of
// these is the only place that declares an option; option_kinds.h has the functions that make its rows.
template <class Target>
struct OptionOf {
  std::string name;
  std::string group;  // heading in help texts
  std::string help;
  OptionKind kind;
  std::vector<std::string> choices;  // the values of a word; empty: any
  std::string expected;              // for messages: "a whole number from 1 to 1000"
  std::function<std::vector<std::string>(const Target&)> get;
  std::function<void(Target&, const Setting&)> set;  // throws Setting::fail()
  std::string value = {};                            // name of the value in help, such as DIR; empty: by the kind
  std::vector<std::string> aliases = {};             // more names on the command line: "-b", "--normalize"
  std::string alone = {};                 // what an option given without a value stands for; empty: it needs a value
  std::optional<NumberRange> range = {};  // of numbers
};

// Fails if the setting's name is not among `names`, suggesting the nearest one, and if a value is not UTF-8 text.
void expect_known_text(const Setting& setting, std::span<const std::string> names);

// Gives one option of a table its value in `target`.
template <class Table, class Target>
void assign_by(const Table& table, Target& target, const Setting& setting) {
  expect_known_text(setting, names_of(table));
  std::ranges::find(table, setting.name, [](const auto& option) { return option.name; })->set(target, setting);
}

// One option with its value, for writing.
struct WrittenOption {
  std::string name, group;
  OptionKind kind;
  std::vector<std::string> values;
};

// The options of a table that `applies` accepts, with their values in `target`.
template <class Table, class Target, class Applies>
std::vector<WrittenOption> written(const Table& table, const Target& target, Applies applies) {
  std::vector<WrittenOption> options;
  for (const auto& option : table) {
    if (applies(option)) options.push_back({option.name, option.group, option.kind, option.get(target)});
  }
  return options;
}

// The text for parse_yaml() or parse_json(). YAML has the groups as comments.
std::string yaml_text(std::span<const WrittenOption> options);
std::string json_text(std::span<const WrittenOption> options);

}  // namespace dhyan
