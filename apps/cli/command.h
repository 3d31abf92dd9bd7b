#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/output.h"

namespace CLI {
class App;
}

namespace dhyan::cli {

// Runs a subcommand after its options are parsed. Results go to the output; failure is an exception.
using Runner = std::function<void(Output& output)>;

// An entry of the table of subcommands.
struct Command {
  std::string name;
  std::string summary;                // one line
  std::vector<std::string> examples;  // command lines, as a user would type them
  Runner (*add_options)(CLI::App& command);
  std::vector<std::string> usual = {};  // options that --help shows, most important first; empty: all
};

// The table, in the order of the help text. A new subcommand is a file and a line in commands.cpp.
std::vector<Command> commands();

// Adds the commands of a table to a program or to a command with subcommands. The result runs the command that the
// command line names.
Runner add_commands(CLI::App& parent, const std::vector<Command>& table);

// "dhyan data check".
std::string full_name(const CLI::App& app);

Command align_command();
Command average_command();
Command caption_command();
Command compare_command();
Command completion_command();
Command data_command();
Command decode_command();
Command embed_command();
Command encode_command();
Command evaluate_command();
Command explain_command();
Command export_command();
Command fill_command();
Command generate_command();
Command import_command();
Command inspect_command();
Command lab_command();
Command man_command();
Command merge_command();
Command quantize_command();
Command report_command();
Command score_command();
Command serve_command();
Command train_command();
Command translate_command();

}  // namespace dhyan::cli
