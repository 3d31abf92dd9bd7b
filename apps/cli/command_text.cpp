#include "cli/command_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "config/options.h"
#include "config/presets.h"
#include "core/choice.h"
#include "core/error.h"

namespace dhyan::cli {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

// Training options are checked after configuration files are read, not by the parser.
std::vector<std::string> choices_of_training(const std::string& name) {
  if (name == "preset") return names_of(preset_texts());
  const auto option = std::ranges::find(dhyan::options(), name, &Option::name);
  if (option == dhyan::options().end() || option->kind == OptionKind::kSwitch) return {};
  return option->choices;
}

// The parser's own names of value types.
std::string value_name(const std::string& type, bool has_choices) {
  if (type == "INT" || type == "UINT") return "N";
  if (type == "FLOAT") return "X";
  return type == "TEXT" && has_choices ? "NAME" : type;
}

std::string without_brackets(const std::string& list) {
  return list.starts_with('[') && list.ends_with(']') ? list.substr(1, list.size() - 2) : list;
}

std::string needs_of(const CLI::Option& option) {
  std::string names;
  for (const CLI::Option* needed : option.get_needs()) {
    names += cat(names.empty() ? "" : " and ", needed->get_name(false, false));
  }
  return names;
}

// The parser describes a value as "NAME:{a,b}", the table of training options as "NAME=a".
OptionText option_text(const CLI::Option& option, const CLI::App& app) {
  OptionText text;
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  const std::string type = option.get_type_name(), name = option.get_single_name();
  const std::size_t end = type.find_first_of(":=");
  const std::size_t set = type.find(":{");
  if (set != type.npos) text.choices = split_at_commas(type.substr(set + 2, type.find('}', set) - set - 2));
  const bool takes_value = option.get_items_expected_max() > 0;
  if (takes_value) text.value = text.names.empty() ? name : value_name(type.substr(0, end), !text.choices.empty());
  text.value_required = !text.value.empty() && option.get_expected_min() > 0;
  text.required = option.get_required();
  text.many = option.get_items_expected_max() > 1 && option.get_allow_extra_args();
  text.needs = needs_of(option);
  // For an optional value, the parser's default is the value it has when left out.
  if (option.get_expected_min() > 0) text.default_value = without_brackets(option.get_default_str());
  if (end != type.npos && type[end] == '=') text.default_value = type.substr(end + 1);
  if (text.choices.empty() && app.get_name() == "train") text.choices = choices_of_training(name);
  text.details = lines_of(option.get_description());
  if (!text.details.empty()) {
    text.help = text.details.front();
    text.details.erase(text.details.begin());
  }
  text.group = option.get_group();
  return text;
}

// The command lines in the footer.
std::vector<std::string> examples_in(const std::string& footer) {
  std::vector<std::string> examples;
  for (const std::string& line : lines_of(footer)) {
    if (line.starts_with("  ")) examples.push_back(line.substr(2));
  }
  return examples;
}

void collect(const CommandText& command, std::vector<const CommandText*>& found) {
  found.push_back(&command);
  for (const CommandText& below : command.commands) collect(below, found);
}

}  // namespace

CommandText command_text(const CLI::App& app) {
  CommandText text;
  for (const CLI::App* at = &app; at != nullptr; at = at->get_parent())
    text.path.insert(text.path.begin(), at->get_name());
  text.summary = app.get_description();
  text.examples = examples_in(app.get_footer());
  for (const CLI::Option* option : app.get_options()) {
    (option->nonpositional() ? text.options : text.positionals).push_back(option_text(*option, app));
  }
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
    text.commands.push_back(command_text(*below));
  }
  return text;
}

std::string unnamed_choices(const OptionText& option) {
  // Only a name after a colon counts as a listed choice: "normalise before or after each sublayer" lists none.
  const std::size_t list = option.help.find(": ");
  const auto is_named = [&](const std::string& choice) {
    return list != option.help.npos && option.help.find(choice, list) != option.help.npos;
  };
  if (!option.details.empty() || std::ranges::all_of(option.choices, is_named)) return {};
  std::string names;
  for (const std::string& choice : option.choices) names += cat(names.empty() ? "" : ", ", choice);
  return names;
}

std::string joined_path(const CommandText& command) {
  std::string joined;
  for (const std::string& name : command.path) joined += cat(joined.empty() ? "" : " ", name);
  return joined;
}

std::vector<const CommandText*> all_commands(const CommandText& root) {
  std::vector<const CommandText*> found;
  collect(root, found);
  return found;
}

}  // namespace dhyan::cli
