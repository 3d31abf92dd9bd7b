#include <CLI/CLI.hpp>
#include <iostream>
#include <map>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/suggest.h"
#include "core/error.h"
#include "core/real.h"
#include "kernels/gemm.h"
#include "kernels/runtime.h"

namespace dhyan::cli {

namespace {

std::string version() {
  return cat("dhyan ", DHYAN_VERSION, "\nGEMM: ", kernels::gemm_backend(), "\nSIMD: ", kernels::simd_target(),
             "\nReal: ", sizeof(Real) == 8 ? "double" : "float");
}

std::string examples_of(const Command& command) {
  std::string text = "Examples:";
  for (const std::string& example : command.examples) text += cat("\n  ", example);
  return text;
}

std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// Words the parser had no use for are mistakes; a near miss is named.
[[noreturn]] void refuse(const std::string& word, const CLI::App& app, const CLI::App* command) {
  const std::string help = cat("\nRun 'dhyan ", command != nullptr ? command->get_name() + " " : "", "--help'.");
  if (word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    throw UsageError(
        cat("unknown option '", name, "'", suggestion(name, long_names(command != nullptr ? *command : app)), help));
  }
  if (command != nullptr) throw UsageError(cat(command->get_name(), ": unexpected argument '", word, "'", help));
  std::vector<std::string> names;
  for (const Command& known : commands()) names.push_back(known.name);
  throw UsageError(cat("unknown command '", word, "'", suggestion(word, names), help));
}

void run(int argc, const char* const* argv, Output& output) {
  CLI::App app("dhyan: attention-based translation on plain CPUs", "dhyan");
  app.allow_extras();  // refused below, with a suggestion
  app.set_version_flag("--version", version, "Print the version, GEMM library and vector instructions in use");
  std::map<const CLI::App*, Runner> runners;
  for (const Command& command : commands()) {
    CLI::App* added = app.add_subcommand(command.name, command.summary);
    added->footer(examples_of(command));
    runners[added] = command.add_options(*added);
  }
  app.footer("Run 'dhyan COMMAND --help' for the options and examples of a command.");

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return output.write(app.help());
  } catch (const CLI::CallForVersion& version_text) {
    return output.write(cat(version_text.what(), '\n'));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const std::vector<std::string> unused = app.remaining(true);
  if (!unused.empty()) refuse(unused.front(), app, chosen.empty() ? nullptr : chosen.front());
  if (chosen.empty()) throw UsageError("no command given\nRun 'dhyan --help'.");
  runners.at(chosen.front())(output);
}

}  // namespace

}  // namespace dhyan::cli

int main(int argc, char** argv) {
  using namespace dhyan;
  try {
    cli::catch_signals();
    kernels::prepare_thread();
    cli::Output output(1);
    cli::run(argc, argv, output);
    return cli::kOk;
  } catch (...) {
    return cli::report_current_exception(std::cerr);
  }
}
