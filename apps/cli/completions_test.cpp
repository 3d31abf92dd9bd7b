#include "cli/completions.h"

#include <gtest/gtest.h>

#include "cli/testing/whole_program.h"
#include "core/error.h"

namespace dhyan::cli {
namespace {

TEST(Completions, HaveEveryCommandAndOptionForEveryShell) {
  const WholeProgram program;
  for (const Shell& shell : shells()) {
    const std::string script = shell.script(program.text());
    for (const char* place : {"@commands@", "@values@", "@names@"}) EXPECT_EQ(script.find(place), script.npos);
    for (const CommandText* command : all_commands(program.text())) {
      EXPECT_NE(script.find(command->path.back()), script.npos) << shell.name << ' ' << joined_path(*command);
      for (const OptionText& option : command->options) {
        for (const std::string& name : option.names) {
          const bool is_long = name.starts_with("--");
          const std::string in_fish = cat(is_long ? " -l " : " -s ", name.substr(is_long ? 2 : 1));
          EXPECT_NE(script.find(shell.name == "fish" ? in_fish : name), script.npos)
              << shell.name << ' ' << joined_path(*command) << ' ' << name;
        }
        for (const std::string& choice : option.choices) EXPECT_NE(script.find(choice), script.npos) << choice;
      }
    }
  }
}

TEST(Completions, QuoteShellCharacters) {
  CommandText program{
      .path = {"dhyan"}, .summary = "", .options = {}, .positionals = {}, .examples = {}, .commands = {}};
  program.options.push_back({.names = {"--x"},
                             .value = "FILE",
                             .value_required = true,
                             .help = "it's [a]: b",
                             .details = {},
                             .default_value = "",
                             .choices = {},
                             .group = ""});
  EXPECT_NE(shells()[1].script(program).find("'*--x=[it'\\''s \\[a\\]\\: b]:FILE:_files'"), std::string::npos);
  EXPECT_NE(shells()[2].script(program).find("-l x -d 'it\\'s [a]: b' -r\n"), std::string::npos);
}

}  // namespace
}  // namespace dhyan::cli
