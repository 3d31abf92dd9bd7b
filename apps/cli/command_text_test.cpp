#include "cli/command_text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>

#include "cli/testing/whole_program.h"

namespace dhyan::cli {
namespace {

const OptionText& option_of(const CommandText& program, const std::string& path, const std::string& name) {
  for (const CommandText* command : all_commands(program)) {
    if (joined_path(*command) != path) continue;
    for (const OptionText& option : command->options) {
      if (std::ranges::find(option.names, name) != option.names.end()) return option;
    }
  }
  throw std::logic_error("no " + path + " " + name);
}

std::size_t count_apps(const CLI::App& app) {
  std::size_t count = 1;
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) count += count_apps(*below);
  return count;
}

TEST(CommandText, HasEveryCommandOfTheParser) {
  const WholeProgram program;
  EXPECT_EQ(all_commands(program.text()).size(), count_apps(program.app()));
  EXPECT_EQ(program.text().commands.size(), commands().size());
  for (const CommandText* command : all_commands(program.text())) {
    if (command == &program.text()) continue;
    EXPECT_FALSE(command->summary.empty()) << joined_path(*command);
    EXPECT_FALSE(command->examples.empty()) << joined_path(*command);
    for (const OptionText& option : command->options) EXPECT_FALSE(option.help.empty()) << option.names.front();
  }
}

TEST(CommandText, DistinguishesFlagsFromValuesAndListsChoices) {
  const WholeProgram program;
  const CommandText& text = program.text();
  EXPECT_EQ(option_of(text, "dhyan evaluate", "--json").value, "");
  const OptionText& model = option_of(text, "dhyan evaluate", "-m");
  EXPECT_EQ(model.value, "DIR");
  EXPECT_TRUE(model.value_required);
  EXPECT_EQ(model.names, (std::vector<std::string>{"-m", "--model"}));
  const OptionText& smoothing = option_of(text, "dhyan evaluate", "--smooth-method");
  EXPECT_EQ(smoothing.choices, (std::vector<std::string>{"exp", "none", "floor", "add-k"}));
  EXPECT_EQ(smoothing.default_value, "exp");
  EXPECT_EQ(smoothing.details.size(), 4u);
}

TEST(CommandText, TakesTheChoicesOfTrainingFromItsTable) {
  const WholeProgram program;
  const OptionText& cell = option_of(program.text(), "dhyan train", "--cell");
  EXPECT_EQ(cell.choices, (std::vector<std::string>{"rnn", "gru", "lstm"}));
  EXPECT_EQ(cell.value, "NAME");
  EXPECT_EQ(cell.default_value, "gru");
  EXPECT_EQ(cell.group, "Model");
  const auto& presets = option_of(program.text(), "dhyan train", "--preset").choices;
  EXPECT_NE(std::ranges::find(presets, "transformer-tiny"), presets.end());
  EXPECT_FALSE(option_of(program.text(), "dhyan train", "--residual").value_required) << "a switch may stand alone";
}

}  // namespace
}  // namespace dhyan::cli
