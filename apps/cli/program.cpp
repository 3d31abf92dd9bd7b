#include "cli/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/parse_error.h"
#include "core/error.h"
#include "core/real.h"
#include "core/suggest.h"
#include "core/version.h"
#include "kernels/simd/runtime.h"

namespace dhyan::cli {

namespace {

std::string version_text() {
  return cat("dhyan ", version(), "\nSIMD: ", kernels::simd_target(),
             "\nReal: ", sizeof(Real) == 8 ? "double" : "float");
}

std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

const CLI::App& deepest_chosen(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest_chosen(*chosen.front());
}

// Refuses words that the parser did not consume, and suggests the nearest name.
[[noreturn]] void refuse(const std::string& word, const CLI::App& app) {
  const CLI::App& command = deepest_chosen(app);
  const std::string help = cat("\nRun '", full_name(command), " --help'.");
  if (word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    throw UsageError(cat("unknown option '", name, "'", suggestion(name, long_names(command)), help));
  }
  std::vector<std::string> names;
  for (const CLI::App* known : command.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(known->get_name());
  }
  if (names.empty()) throw UsageError(cat(command.get_name(), ": unexpected argument '", word, "'", help));
  throw UsageError(cat("unknown command '", word, "'", suggestion(word, names), help));
}

}  // namespace

void run_program(int argc, const char* const* argv, Output& output) {
  CLI::App app("dhyan: attention-based translation on plain CPUs", "dhyan");
  app.allow_extras();  // refused below, with a suggestion
  app.set_version_flag("-V,--version", version_text, "Print the version and the vector instructions in use");
  const Runner runner = add_commands(app, commands());

  try {
    std::vector<std::string> words = arguments_for(app, {argv + std::min(argc, 1), argv + argc});
    std::ranges::reverse(words);  // the parser reads them from the back
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    return output.write(app.help());
  } catch (const CLI::CallForAllHelp&) {
    return output.write(app.help("", CLI::AppFormatMode::All));
  } catch (const CLI::CallForVersion& version_text) {
    return output.write(cat(version_text.what(), '\n'));
  } catch (const CLI::ParseError& error) {
    // A missing option may be a misspelled one.
    for (const std::string& word : app.remaining(true)) {
      if (word.starts_with("-")) refuse(word, app);
    }
    throw UsageError(
        cat(parse_error_text(error, deepest_chosen(app)), "\nRun '", full_name(deepest_chosen(app)), " --help'."));
  }
  const std::vector<std::string> unused = app.remaining(true);
  if (!unused.empty()) refuse(unused.front(), app);
  runner(output);
}

}  // namespace dhyan::cli
