// `dhyan completion` and `dhyan man`, read by shells and by groff; and documents that describe commands.

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <sstream>

#include "binary.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "process.h"
#include "source_tree.h"

namespace dhyan {
namespace {

constexpr const char* kBash = "/bin/bash";

// The completions that bash offers for the last word.
std::vector<std::string> completed(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += cat(" '", word, "'");
  const std::string script = cat("source <('", kBinary, "' completion bash) || exit 9\nCOMP_WORDS=(dhyan", list,
                                 ")\nCOMP_CWORD=", words.size(), "\n_dhyan\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  const Finished finished = run({kBash, "--norc", "-c", script});
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.error, "");
  std::istringstream lines(finished.out);
  std::vector<std::string> offered;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) offered.push_back(line);
  }
  return offered;
}

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

using Words = std::vector<std::string>;

TEST(CompletionCommand, LetsBashCompleteCommandsOptionsAndValues) {
  EXPECT_EQ(completed({"tra"}), (Words{"train", "translate"}));
  EXPECT_TRUE(holds(completed({""}), "evaluate"));
  EXPECT_EQ(completed({"data", "cl"}), (Words{"clean"}));
  EXPECT_EQ(completed({"evaluate", "--smooth-m"}), (Words{"--smooth-method"}));
  EXPECT_EQ(completed({"evaluate", "--smooth-method", ""}), (Words{"exp", "none", "floor", "add-k"}));
  EXPECT_EQ(completed({"evaluate", "--metrics", "bleu,ch"}), (Words{"bleu,chrf", "bleu,chrf++"}));
  EXPECT_EQ(completed({"train", "--cell", "=", "l"}), (Words{"lstm"}));
  EXPECT_EQ(completed({"train", "--preset", "gpt-n"}), (Words{"gpt-nano"}));
  EXPECT_TRUE(holds(completed({"data", "clean", "--max"}), "--max-words"));
  EXPECT_EQ(completed({"completion", "z"}), (Words{"zsh"}));
}

TEST(CompletionCommand, LeavesFilesToTheShell) {
  EXPECT_EQ(completed({"evaluate", "-m", ""}), Words());
  EXPECT_EQ(completed({"translate", "te"}), Words());
}

TEST(CompletionCommand, RefusesAShellItDoesNotKnow) {
  EXPECT_EQ(run({kBinary, "completion", "csh"}).code, 2);
  EXPECT_EQ(run({kBinary, "completion"}).code, 2);
}

// Other shells, if they are installed, read their scripts without errors.
TEST(CompletionCommand, IsValidInEveryInstalledShell) {
  const TemporaryFolder folder;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string program = "/usr/bin/" + shell;
    if (!std::filesystem::exists(program)) continue;
    folder.write(shell, run({kBinary, "completion", shell}).out);
    const Finished read = run({program, "-n", folder.path(shell)});
    EXPECT_EQ(read.code, 0) << shell << read.error;
    EXPECT_EQ(read.error, "");
  }
}

TEST(ManCommand, PrintsAPageThatGroffReadsWithoutAWarning) {
  const Finished man = run({kBinary, "man"});
  EXPECT_EQ(man.code, 0);
  EXPECT_TRUE(has(man.out, ".TH DHYAN 1 "));
  EXPECT_TRUE(has(man.out, "\n.SH EXIT STATUS\n"));
  if (!std::filesystem::exists("/usr/bin/groff")) return;
  const Finished read = run({"/usr/bin/groff", "-ww", "-man", "-Tutf8"}, {}, man.out);
  EXPECT_EQ(read.code, 0);
  EXPECT_EQ(read.error, "");
  EXPECT_TRUE(has(read.out, "dhyan evaluate"));
}

// The options of a command and their defaults, from its help; "–" for those that have none.
std::map<std::string, std::string> defaults_of(const std::string& command) {
  static const std::regex option(R"re(\n {2}(?:-\w, *)?--([a-z-]+)((?:.|\n(?!(?: {2}-|\n)))*))re");
  static const std::regex space(R"re(\s+)re"), given(R"re(\(default: ([^)]*)\))re");
  const std::string help = run({kBinary, command, "--help-all"}).out;
  std::map<std::string, std::string> defaults;
  for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found) {
    const std::string text = std::regex_replace((*found)[2].str(), space, " ");
    std::smatch value;
    defaults[(*found)[1]] = std::regex_search(text, value, given) ? value[1].str() : "–";
  }
  for (const char* common : {"help", "help-all"}) defaults.erase(common);
  return defaults;
}

TEST(Operations, TellEveryOptionOfServeWithItsDefault) {
  static const std::regex row(R"re(\n\| `--([a-z-]+)` \| ([^|]*) \|)re");
  const std::string document = text_of(source_folder() / "docs/OPERATIONS.md");
  std::map<std::string, std::string> told;
  for (std::sregex_iterator found(document.begin(), document.end(), row), end; found != end; ++found) {
    told[(*found)[1]] = (*found)[2];
  }
  std::map<std::string, std::string> options = defaults_of("serve");
  options["threads"] = "all cores";  // a number of this machine
  EXPECT_EQ(told, options);
  EXPECT_GT(options.size(), 15u);
}

TEST(Guide, ListsEveryCommand) {
  static const std::regex command(R"re(\n  ([a-z]+) {2,}\S)re"), row(R"re(\n\| (`[^|]*) \|)re");
  const std::string help = run({kBinary, "--help"}).out, guide = text_of(source_folder() / "docs/GUIDE.md");
  const std::string commands = help.substr(0, help.find("\nOptions:"));
  std::string listed;
  for (std::sregex_iterator found(guide.begin(), guide.end(), row), end; found != end; ++found) listed += (*found)[1];
  int count = 0;
  for (std::sregex_iterator found(commands.begin(), commands.end(), command), end; found != end; ++found, ++count) {
    EXPECT_TRUE(has(listed, cat('`', (*found)[1].str(), '`'))) << (*found)[1];
  }
  EXPECT_GT(count, 20);
}

}  // namespace
}  // namespace dhyan
