#include "cli/man_page.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "cli/exit_code.h"
#include "cli/testing/whole_program.h"
#include "core/error.h"

namespace dhyan::cli {
namespace {

// An option as escaped for roff.
std::string spelled(const std::string& text) {
  std::string result;
  for (const char letter : text) result += letter == '-' ? "\\-" : std::string(1, letter);
  return result;
}

TEST(ManPage, HasEveryCommandEveryOptionAndEveryExitCode) {
  const WholeProgram program;
  const std::string page = man_page(program.text());
  for (const CommandText* command : all_commands(program.text())) {
    if (command == &program.text()) continue;
    const std::size_t begin = page.find(cat(".SS \"", spelled(joined_path(*command)), "\"\n"));
    ASSERT_NE(begin, page.npos) << joined_path(*command);
    const std::string section = page.substr(begin, page.find(".S", begin + 1) - begin);
    for (const OptionText& option : command->options) {
      for (const std::string& name : option.names) {
        EXPECT_NE(section.find(cat("\\fB", spelled(name), "\\fR")), section.npos)
            << joined_path(*command) << ' ' << name;
      }
    }
  }
  for (const ExitCodeEntry& entry : exit_codes()) {
    EXPECT_NE(page.find(cat("\\fB", static_cast<int>(entry.code), "\\fR\n", spelled(std::string(entry.meaning)))),
              page.npos);
  }
}

TEST(ManPage, EscapesTextThatRoffWouldReadAsRequests) {
  CommandText program{
      .path = {"dhyan"}, .summary = "", .options = {}, .positionals = {}, .examples = {}, .commands = {}};
  program.commands.push_back({.path = {"dhyan", "x"},
                              .summary = ".so a\\b",
                              .options = {},
                              .positionals = {},
                              .examples = {"'quoted' मैं"},
                              .commands = {}});
  const std::string page = man_page(program);
  EXPECT_NE(page.find("\n\\&.so a\\eb.\n"), page.npos) << page;
  EXPECT_NE(page.find("\n\\&'quoted' \\[u092E]\\[u0948]\\[u0902]\n"), page.npos) << page;
}

}  // namespace
}  // namespace dhyan::cli
