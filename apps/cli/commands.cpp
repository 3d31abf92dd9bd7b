#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "cli/command.h"
#include "cli/help_text.h"
#include "core/error.h"

namespace dhyan::cli {

namespace {

std::string examples_of(const Command& command) {
  std::string text = "Examples:";
  for (const std::string& example : command.examples) text += cat("\n  ", example);
  return text;
}

}  // namespace

std::vector<Command> commands() {
  return {train_command(),   average_command(),   merge_command(),   quantize_command(),   import_command(),
          export_command(),  translate_command(), caption_command(), generate_command(),   fill_command(),
          embed_command(),   explain_command(),   score_command(),   align_command(),      evaluate_command(),
          compare_command(), report_command(),    lab_command(),     serve_command(),      data_command(),
          encode_command(),  decode_command(),    inspect_command(), completion_command(), man_command()};
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : cat(full_name(*app.get_parent()), " ", app.get_name());
}

Runner add_commands(CLI::App& parent, const std::vector<Command>& table) {
  parent.require_subcommand(0, 1);  // after the first command, the name of another is an ordinary word
  // Subcommands have them too.
  if (parent.get_help_all_ptr() == nullptr) {
    parent.set_help_flag("-h,--help", "Print the usual options and exit");
    parent.set_help_all_flag("--help-all", "Print all options and exit");
    parent.formatter(std::make_shared<HelpFormatter>(std::vector<std::string>{}));
  }
  std::map<const CLI::App*, Runner> runners;
  for (const Command& command : table) {
    CLI::App* added = parent.add_subcommand(command.name, command.summary);
    added->footer(examples_of(command));
    added->formatter(std::make_shared<HelpFormatter>(command.usual));
    runners[added] = command.add_options(*added);
  }
  return [&parent, runners](Output& output) {
    const std::vector<CLI::App*> chosen = parent.get_subcommands();
    if (chosen.empty()) throw UsageError(cat("no command given\nRun '", full_name(parent), " --help'."));
    runners.at(chosen.front())(output);
  };
}

}  // namespace dhyan::cli
