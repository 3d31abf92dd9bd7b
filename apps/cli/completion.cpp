#include <CLI/CLI.hpp>
#include <memory>

#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/completions.h"
#include "core/table.h"

namespace dhyan::cli {

namespace {

Runner add_completion_options(CLI::App& command) {
  const auto name = std::make_shared<std::string>();
  command.add_option("shell", *name, "Shell; its script belongs in:" + described(shells()))
      ->required()
      ->check(one_of(shells()));
  return [name, &command](Output& output) {
    output.write(entry_named("shell", shells(), *name).script(command_text(*command.get_parent())));
  };
}

}  // namespace

Command completion_command() {
  return {"completion",
          "Print a script that lets a shell complete dhyan's command lines",
          {"source <(dhyan completion bash)", "dhyan completion zsh > ~/.zfunc/_dhyan",
           "dhyan completion fish > ~/.config/fish/completions/dhyan.fish"},
          add_completion_options};
}

}  // namespace dhyan::cli
