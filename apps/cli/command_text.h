#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dhyan::cli {

// The description of an option.
struct OptionText {
  std::vector<std::string> names;  // "-m", "--model"; empty for a positional
  std::string value;               // "FILE"; empty for a flag; the name of a positional
  bool value_required = false;
  bool required = false;   // the option itself
  bool many = false;       // takes several values
  std::string needs = {};  // "--sampling": options without which it is refused
  std::string help;        // the first line; details follow it
  std::vector<std::string> details;
  std::string default_value;
  std::vector<std::string> choices;  // all values; empty: any value
  std::string group;
};

// A command and its subcommands, for the manual and the completions. The description comes from the parser, so it is
// always complete.
struct CommandText {
  std::vector<std::string> path;  // "dhyan", "data", "check"
  std::string summary;
  std::vector<OptionText> options;
  std::vector<OptionText> positionals;
  std::vector<std::string> examples;
  std::vector<CommandText> commands;
};

CommandText command_text(const CLI::App& app);

// "a, b, c"; empty if the option has no choices or its help lists them.
std::string unnamed_choices(const OptionText& option);

// "dhyan data check".
std::string joined_path(const CommandText& command);

// The command and all its subcommands, in the order of the help.
std::vector<const CommandText*> all_commands(const CommandText& root);

}  // namespace dhyan::cli
