#include "cli/help_text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

#include "cli/testing/whole_program.h"
#include "core/error.h"
#include "text/display.h"

namespace dhyan::cli {
namespace {

// The texts of --help and --help-all of every command.
struct Help {
  std::string path, usual, all;
  CommandText text;
};

void collect_help(const CLI::App& app, std::vector<Help>& found) {
  found.push_back({full_name(app), app.help(), app.help("", CLI::AppFormatMode::All), command_text(app)});
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) collect_help(*below, found);
}

std::vector<Help> every_help(const WholeProgram& program) {
  std::vector<Help> found;
  collect_help(program.app(), found);
  return found;
}

std::size_t options_in(const std::string& help) {
  std::size_t count = 0;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) count += line.starts_with("  -") ? 1 : 0;
  return count;
}

TEST(HelpText, ListsUsualOptionsAndAllOptionsOnDemand) {
  constexpr std::size_t kFew = 16;
  const WholeProgram program;
  for (const Help& help : every_help(program)) {
    EXPECT_LE(options_in(help.usual), kFew) << help.path;
    EXPECT_EQ(options_in(help.all), help.text.options.size()) << help.path;
    for (const OptionText& option : help.text.options) {
      EXPECT_NE(help.all.find(option.names.back()), help.all.npos) << help.path << ' ' << option.names.back();
    }
    const bool shortened = options_in(help.usual) < help.text.options.size();
    EXPECT_EQ(help.usual.find("--help-all\n") != help.usual.npos, shortened) << help.path;
  }
}

TEST(HelpText, NamesOnlyExistingUsualOptions) {
  const auto check = [](const Command& command, const CLI::App& parent) {
    const CLI::App* app = parent.get_subcommand(command.name);
    for (const std::string& name : command.usual) EXPECT_NE(app->get_option_no_throw(name), nullptr) << name;
  };
  const WholeProgram program;
  for (const Command& command : commands()) check(command, program.app());
}

TEST(HelpText, HasNoParserTermsAndFitsATerminal) {
  const WholeProgram program;
  const std::regex artefact(
      "\\bINT\\b|\\bFLOAT\\b|\\bUINT\\b|TEXT:| in \\[|POSITIVE|NONNEGATIVE|REQUIRED|Excludes:|\\}=|\\.{4,}");
  for (const Help& help : every_help(program)) {
    for (const std::string* text : {&help.usual, &help.all}) {
      std::istringstream lines(*text);
      for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("  dhyan ") || line.find(" | dhyan ") != line.npos) continue;  // examples
        std::smatch found;
        EXPECT_FALSE(std::regex_search(line, found, artefact)) << help.path << ": " << line;
        EXPECT_LE(display_width(line), 96) << help.path << ": " << line;
      }
    }
  }
}

TEST(HelpText, StatesRequirementsAndDefaults) {
  const WholeProgram program;
  const std::string text = program.app().get_subcommand("translate")->help("", CLI::AppFormatMode::All);
  const std::string all = std::regex_replace(text, std::regex("\n {10,}"), " ");  // wrapped lines
  EXPECT_NE(all.find("--top-k N "), all.npos) << all;
  EXPECT_NE(all.find("(needs --sampling; default: 0)"), all.npos) << all;
  EXPECT_NE(all.find("-b, --beam-size N "), all.npos) << all;
  EXPECT_NE(all.find("Usage: dhyan translate [OPTIONS] [FILE]\n"), all.npos) << all;
}

TEST(HelpText, ListsValuesAndTypesOfTrainingOptions) {
  const WholeProgram program;
  const CLI::App* train = program.app().get_subcommand("train");
  const std::string all = std::regex_replace(train->help("", CLI::AppFormatMode::All), std::regex("\n {10,}"),
                                             " ");  // wrapped lines
  for (const char* part : {"sublayer: before, after (default: before)", ": before, after, between (default",
                           "sentences: token, sentence (", "--average takes: best, last (",
                           "products: float32, or bfloat16, which", "--init-from DIR ", "--tokenizer-from DIR ",
                           "--valid-alignments FILE ", "(0; adamw: 0.01)\n", "adamw (1e-8)\n"}) {
    EXPECT_NE(all.find(part), all.npos) << part << "\n" << all;
  }
  for (const char* usual : {"--max-steps ", "--vocabulary-size "}) {
    EXPECT_NE(train->help().find(usual), std::string::npos) << usual;
  }
}

// Sentences that begin with a question word or with "Of" are hard to read.
TEST(HelpText, IsInPlainSentences) {
  const WholeProgram program;
  const std::regex riddle("^(Of|Who|Whose|What(?! to do)|Such|Its|And|Another) ");
  for (const Help& help : every_help(program)) {
    EXPECT_FALSE(std::regex_search(help.text.summary, riddle)) << help.path;
    for (const auto* list : {&help.text.options, &help.text.positionals}) {
      for (const OptionText& option : *list) {
        EXPECT_FALSE(std::regex_search(option.help, riddle)) << help.path << ": " << option.help;
        EXPECT_EQ(option.help.find("so many"), option.help.npos) << help.path << ": " << option.help;
      }
    }
  }
}

}  // namespace
}  // namespace dhyan::cli
