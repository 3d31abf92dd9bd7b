#include "cli/help_text.h"

#include <algorithm>
#include <cctype>

#include "core/error.h"
#include "text/display.h"

namespace dhyan::cli {

namespace {

constexpr Index kWidth = 96, kIndent = 2, kColumn = 30;  // width of lines, indent of names, column of descriptions

// The value of an option: "FILE..."; "X,..." needs no dots; a positional shows its name.
std::string shown_value(const OptionText& option) {
  std::string text = option.value;
  if (option.names.empty()) std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return option.many && !text.ends_with("...") ? text + "..." : text;
}

std::string signature(const OptionText& option) {
  std::string text;
  for (const std::string& name : option.names) text += cat(text.empty() ? "" : ", ", name);
  if (option.value.empty()) return text;
  return cat(text, text.empty() ? "" : " ", shown_value(option));
}

// A name with its description in the column beside or below it.
std::string entry(const std::string& name, const std::vector<std::string>& paragraphs) {
  std::string text = padded(cat(std::string(kIndent, ' '), name), kColumn);
  bool beside = display_width(text) <= kColumn && !text.empty() && text.back() == ' ';
  if (!beside) text += '\n';
  for (const std::string& paragraph : paragraphs) {
    const std::size_t words = std::min(paragraph.find_first_not_of(' '), paragraph.size());
    const std::string indent(words, ' ');  // of lists of choices
    for (const std::string& line : wrapped(paragraph.substr(words), kWidth - kColumn - static_cast<Index>(words))) {
      text += cat(beside ? "" : std::string(kColumn, ' '), indent, line, '\n');
      beside = false;
    }
  }
  return text;
}

// The notes after the help of an option: "(needs --sampling; default: 1)".
std::string in_brackets(const OptionText& option) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += cat(text.empty() ? " (" : "; ", part); };
  if (option.required) add("required");
  if (!option.needs.empty()) add(cat("needs ", option.needs));
  if (!option.default_value.empty()) add(cat("default: ", option.default_value));
  return text.empty() ? "" : text + ")";
}

std::string entry(const OptionText& option) {
  std::vector<std::string> paragraphs{option.help};
  const std::string choices = unnamed_choices(option);
  if (!choices.empty()) paragraphs.front() += cat(": ", choices);
  paragraphs.insert(paragraphs.end(), option.details.begin(), option.details.end());
  paragraphs.back() += in_brackets(option);
  return entry(signature(option), paragraphs);
}

bool is_usual(const OptionText& option, const std::vector<std::string>& usual) {
  const auto named = [&usual](const std::string& name) { return std::ranges::find(usual, name) != usual.end(); };
  return std::ranges::any_of(option.names, named);
}

std::string usage(const CommandText& command) {
  std::string text = cat("Usage: ", joined_path(command));
  if (!command.commands.empty()) text += " COMMAND";
  text += " [OPTIONS]";
  for (const OptionText& positional : command.positionals) {
    const std::string name = shown_value(positional);
    text += positional.required ? cat(" ", name) : cat(" [", name, "]");
  }
  return text + "\n";
}

// The usual options in the order of `usual`, most important first.
std::string usual_options(const CommandText& command, const std::vector<std::string>& usual) {
  std::string text;
  for (const std::string& name : usual) {
    for (const OptionText& option : command.options) {
      if (is_usual(option, {name})) text += entry(option);
    }
  }
  return text;
}

std::string all_options(const CommandText& command) {
  std::vector<std::string> groups;
  for (const OptionText& option : command.options) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  std::string text;
  for (const std::string& group : groups) {
    text += cat(text.empty() ? "" : "\n", group, ":\n");
    for (const OptionText& option : command.options) {
      if (option.group == group) text += entry(option);
    }
  }
  return text;
}

std::string examples(const CommandText& command) {
  std::string text = "\nExamples:\n";
  for (const std::string& example : command.examples) text += cat("  ", example, '\n');
  return text;
}

}  // namespace

std::string help_text(const CommandText& command, const std::vector<std::string>& usual, HelpExtent extent) {
  std::string text = cat(command.summary, "\n\n", usage(command));
  if (!command.positionals.empty()) text += '\n';
  for (const OptionText& positional : command.positionals) text += entry(positional);
  if (!command.commands.empty()) {
    text += "\nCommands:\n";
    for (const CommandText& below : command.commands) text += entry(below.path.back(), {below.summary});
  }
  if (extent == HelpExtent::kAll || usual.empty()) {
    text += cat('\n', all_options(command));
  } else {
    text += cat("\nUsual options:\n", usual_options(command, usual), "\nAll ", command.options.size(),
                " options: ", joined_path(command), " --help-all\n");
  }
  if (!command.examples.empty()) text += examples(command);
  if (!command.commands.empty()) {
    text += cat("\nRun '", joined_path(command), " COMMAND --help' for the options and examples of a command.\n");
  }
  return text;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode mode) const {
  const HelpExtent extent = mode == CLI::AppFormatMode::All ? HelpExtent::kAll : HelpExtent::kUsual;
  return help_text(command_text(*app), usual_, extent);
}

}  // namespace dhyan::cli
