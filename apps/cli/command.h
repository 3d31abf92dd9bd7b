#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/output.h"

namespace CLI {
class App;
}

namespace dhyan::cli {

// What a subcommand does once its options are known. Results go to the output; failure is an exception.
using Runner = std::function<void(Output& output)>;

// A line of the table of subcommands.
struct Command {
  std::string name;
  std::string summary;                // one line
  std::vector<std::string> examples;  // command lines, as a user would type them
  Runner (*add_options)(CLI::App& command);
};

// The table, in the order of the help text. A new subcommand is a file and a line in commands.cpp.
std::vector<Command> commands();

Command explain_command();
Command inspect_command();

}  // namespace dhyan::cli
