#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/man_page.h"

namespace dhyan::cli {

Command man_command() {
  return {"man",
          "Print the manual page, in roff",
          {"dhyan man | man -l -", "dhyan man > /usr/local/share/man/man1/dhyan.1"},
          [](CLI::App& command) -> Runner {
            return [&command](Output& output) { output.write(man_page(command_text(*command.get_parent()))); };
          }};
}

}  // namespace dhyan::cli
