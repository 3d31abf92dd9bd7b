#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dhyan::cli {

// What there is to say about an option.
struct OptionText {
  std::vector<std::string> names;  // "-m", "--model"; none of a positional
  std::string value;               // "FILE"; empty of a flag. What a positional is called
  bool value_required = false;
  bool required = false;   // the option itself
  bool many = false;       // takes several values
  std::string needs = {};  // "--sampling": options without which it is refused
  std::string help;        // the first line; details follow it
  std::vector<std::string> details;
  std::string default_value;
  std::vector<std::string> choices;  // all that the value can be; none: anything
  std::string group;
};

// A command and the commands below it, as manual and completions tell about them. They are made from the parser itself:
// what it knows is in them.
struct CommandText {
  std::vector<std::string> path;  // "dhyan", "data", "check"
  std::string summary;
  std::vector<OptionText> options;
  std::vector<OptionText> positionals;
  std::vector<std::string> examples;
  std::vector<CommandText> commands;
};

CommandText command_text(const CLI::App& app);

// "a, b, c", unless the help of the option has named them; empty if it has no choices.
std::string unnamed_choices(const OptionText& option);

// "dhyan data check".
std::string joined_path(const CommandText& command);

// The command and all below it, in the order of help.
std::vector<const CommandText*> all_commands(const CommandText& root);

}  // namespace dhyan::cli
