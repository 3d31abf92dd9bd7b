// The parser accepts every command line in help and documents.

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

#include "cli/testing/whole_program.h"
#include "core/error.h"

namespace dhyan::cli {
namespace {

// The arguments of each call of dhyan in a line of shell.
std::vector<std::string> calls_in(const std::string& line) {
  std::vector<std::string> calls;
  constexpr std::string_view kName = "dhyan ";
  for (std::size_t at = line.find(kName); at != line.npos; at = line.find(kName, at + 1)) {
    if (at > 0 && std::string_view(" (\"$").find(line[at - 1]) == std::string_view::npos) continue;
    std::string call;
    char quote = 0;
    for (const char letter : line.substr(at + kName.size())) {
      if (quote == 0 && std::string_view("|&>#)").find(letter) != std::string_view::npos) break;
      if (letter == '"' || letter == '\'') quote = quote == 0 ? letter : quote == letter ? '\0' : quote;
      call += letter;
    }
    if (std::ranges::count(call, '"') % 2 == 1) call.erase(call.find('"'));  // the whole call was quoted
    calls.push_back(call);
  }
  return calls;
}

// Indented lines of a Markdown file that call dhyan, joined at backslashes.
std::vector<std::string> shell_lines(const std::string& file) {
  std::ifstream in(std::string(DHYAN_SOURCE_FOLDER) + "/" + file);
  EXPECT_TRUE(in) << file;
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("    ")) continue;
    for (std::string more; line.ends_with("\\") && std::getline(in, more);) {
      line.pop_back();
      line += more;
    }
    if (line.find("dhyan ") != line.npos) lines.push_back(line);
  }
  return lines;
}

void expect_parsed(const std::string& line) {
  for (const std::string& call : calls_in(line)) {
    WholeProgram program;
    try {
      program.parse(call);
    } catch (const CLI::ParseError& error) {
      ADD_FAILURE() << "dhyan " << call << ": " << error.what();
    }
  }
}

TEST(Examples, OfTheHelpParse) {
  const WholeProgram program;
  for (const CommandText* command : all_commands(program.text())) {
    for (const std::string& example : command->examples) expect_parsed(example);
  }
}

TEST(Examples, OfReadmeAndGuideParse) {
  for (const char* file : {"README.md", "docs/GUIDE.md"}) {
    const std::vector<std::string> lines = shell_lines(file);
    EXPECT_GE(lines.size(), 10u) << file;
    for (const std::string& line : lines) expect_parsed(line);
  }
}

TEST(Examples, WithAMistakeFail) {
  EXPECT_EQ(calls_in("echo a | dhyan translate -m m > out && dhyan man"),
            (std::vector<std::string>{"translate -m m ", "man"}));
  EXPECT_EQ(calls_in("socat X EXEC:\"dhyan translate -m m\""), (std::vector<std::string>{"translate -m m"}));
  WholeProgram program;
  EXPECT_THROW(program.parse("evaluate --no-such-option"), CLI::ParseError);
}

}  // namespace
}  // namespace dhyan::cli
