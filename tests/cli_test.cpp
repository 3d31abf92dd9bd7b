// The dhyan binary as a shell sees it.

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <pty.h>
#include <regex>
#include <thread>
#include <unistd.h>

#include "binary.h"
#include "core/testing/temporary_folder.h"
#include "interop/parameter_file.h"
#include "process.h"

namespace dhyan {
namespace {

const std::string kEscape = "\x1b[";

testing::AssertionResult begins(const std::string& text, const std::string& part) {
  if (text.starts_with(part)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "not '" << part << "' but:\n" << text;
}

Finished dhyan(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), kBinary);
  return run(arguments);
}

// Output of `dhyan explain` on a pseudo-terminal.
std::string on_a_terminal(const std::map<std::string, std::string>& environment) {
  int terminal = -1, inner = -1;
  EXPECT_EQ(openpty(&terminal, &inner, nullptr, nullptr, nullptr), 0);
  const pid_t child = start({kBinary, "explain"}, {.out = inner}, environment);
  ::close(inner);
  const std::string text = read_all(terminal);
  EXPECT_EQ(exit_code_of(child), 0);
  ::close(terminal);
  return text;
}

TEST(Binary, PrintsHelpOnStdoutWithEveryCommand) {
  const Finished help = dhyan({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.error, "");
  EXPECT_TRUE(has(help.out, "explain  "));
  EXPECT_TRUE(has(help.out, "inspect  "));
}

TEST(Binary, ShowsExamplesInTheHelpOfACommand) {
  const Finished help = dhyan({"inspect", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_TRUE(has(help.out, "Examples:\n  dhyan inspect model.safetensors\n"));
  EXPECT_TRUE(has(help.out, "--json"));
}

TEST(Binary, PrintsItsVersionSimdTargetAndPrecision) {
  const Finished version = dhyan({"--version"});
  EXPECT_EQ(version.code, 0);
  const std::regex expected("dhyan [0-9]+\\.[0-9]+\\.[0-9]+\nSIMD: .+\nReal: (float|double)\n");
  EXPECT_TRUE(std::regex_match(version.out, expected)) << version.out;
}

TEST(Binary, AnswersEverySpellingOfHelpAndVersion) {
  EXPECT_EQ(dhyan({"help"}).out, dhyan({"--help"}).out);
  EXPECT_EQ(dhyan({"help", "train"}).out, dhyan({"train", "--help"}).out);
  EXPECT_TRUE(has(dhyan({"help", "trian"}).error, "unknown command 'trian'; did you mean 'train'?"));
  for (const char* asked : {"version", "-V"}) EXPECT_EQ(dhyan({asked}).out, dhyan({"--version"}).out) << asked;
}

TEST(Binary, RefusesAWrongCommandLineWithTheNearestName) {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& message) {
    const Finished finished = dhyan(arguments);
    EXPECT_EQ(finished.code, 2);
    EXPECT_EQ(finished.out, "");
    EXPECT_TRUE(begins(finished.error, "dhyan: error: " + message));
  };
  refused({}, "no command given\n");
  refused({"explan"}, "unknown command 'explan'; did you mean 'explain'?\n");
  refused({"--versoin"}, "unknown option '--versoin'; did you mean '--version'?\n");
  refused({"explain", "--exampel=x"}, "unknown option '--exampel'; did you mean '--example'?\n");
  refused({"explain", "--example", "self-atention"},
          "explain: there is no example 'self-atention'; did you mean 'self-attention'?\n");
  refused({"explain", "more"}, "explain: no model to explain 'more' with; name its folder with -m\n");
  refused({"explain", "man"}, "explain: no model to explain 'man' with; name its folder with -m\n");
  refused({"explain", "-m", "model", "text", "more"}, "explain: unexpected argument 'more'\n");
  refused({"explain", "-m", "model"}, "explain: no text to explain");
  refused({"explain", "-m", "model", "-f", "sgv", "x"}, "explain: there is no format 'sgv'; did you mean 'svg'?\n");
  refused({"explain", "-m", "model", "-f", "colour", "x"},
          "explain: there is no format 'colour'; there is: text svg html png json csv pharaoh\n");
  refused({"explain", "-m", "model", "-o", "x.gif", "x"},
          "explain: unknown file ending .gif; name a format with -f: text svg");
  refused({"explain", "-m", "model", "-o", "x", "x"},
          "explain: 'x' has no file ending; name a format with -f: text svg");
  refused({"explain", "-m", "model", "--step", "1", "-f", "svg", "x"},
          "explain: --step is text or html; it cannot be svg\n");
  refused({"explain", "-m", "model", "--example", "self-attention"}, "--example and --model do not go together");
  refused({"explain", "--units", "word"}, "--units needs --model");
  refused({"explain", "--example"}, "--example needs a value (NAME)");
  refused({"inspect"}, "FILE is required");
}

TEST(Binary, ExplainsSelfAttentionToFourDecimals) {
  const Finished explained = dhyan({"explain", "--example", "self-attention"});
  EXPECT_EQ(explained.code, 0);
  EXPECT_EQ(explained.error, "");
  for (const char* row : {"0.4231  0.2697  0.3072", "0.1487  0.6466  0.2047", "0.2728  0.4543  0.2728"}) {
    EXPECT_TRUE(has(explained.out, row));
  }
  EXPECT_TRUE(has(explained.out, "  K = W_k X                               K = X W_k\n"));
}

TEST(Binary, UsesColourOnATerminalOnly) {
  EXPECT_TRUE(has(on_a_terminal({{"TERM", "xterm"}, {"NO_COLOR", ""}}), kEscape));
  EXPECT_FALSE(has(dhyan({"explain"}).out, kEscape));
}

TEST(Binary, UsesNoColourIfTheUserDisabledIt) {
  EXPECT_FALSE(has(on_a_terminal({{"TERM", "xterm"}, {"NO_COLOR", "1"}}), kEscape));
  EXPECT_FALSE(has(on_a_terminal({{"TERM", "dumb"}, {"NO_COLOR", ""}}), kEscape));
  EXPECT_FALSE(has(on_a_terminal({{"TERM", ""}, {"NO_COLOR", ""}}), kEscape));
}

TEST(Binary, FailsWhenItsOutputCannotBeWritten) {
  int error[2];
  ASSERT_EQ(::pipe2(error, O_CLOEXEC), 0);
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  const pid_t child = start({kBinary, "explain"}, {.out = full, .error = error[1]});
  ::close(error[1]);
  EXPECT_EQ(read_all(error[0]), "dhyan: error: standard output: cannot write: No space left on device\n");
  EXPECT_EQ(exit_code_of(child), 1);
  ::close(error[0]);
  ::close(full);
}

TEST(Binary, ExitsQuietlyIfItsReaderIsGone) {
  int out[2], error[2];
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(error, O_CLOEXEC), 0);
  ::close(out[0]);
  const pid_t child = start({kBinary, "explain"}, {.out = out[1], .error = error[1]});
  ::close(out[1]);
  ::close(error[1]);
  EXPECT_EQ(read_all(error[0]), "");
  EXPECT_EQ(exit_code_of(child), 1);
  ::close(error[0]);
}

// The state letter of a process; S: it sleeps.
char state_of(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return text.at(text.rfind(')') + 2);
}

TEST(Binary, ExitsWith130OnASignalWhileItWaits) {
  for (const int signal : {SIGINT, SIGTERM}) {
    int out[2];
    ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
    ::fcntl(out[1], F_SETFL, O_NONBLOCK);
    while (::write(out[1], "x", 1) == 1) {  // fills the pipe, so that the binary has to wait
    }
    ::fcntl(out[1], F_SETFL, 0);
    const pid_t child = start({kBinary, "explain"}, {.out = out[1], .error = ::open("/dev/null", O_WRONLY)});
    // Waiting for the disk is short; waiting for the full pipe is not.
    for (int asleep = 0; asleep < 20; asleep = state_of(child) == 'S' ? asleep + 1 : 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ::kill(child, signal);
    EXPECT_EQ(exit_code_of(child), 130);
    ::close(out[0]);
    ::close(out[1]);
  }
}

TEST(Binary, InspectListsTheTensorsOfAFile) {
  const TemporaryFolder folder;
  ParameterSet parameters;
  parameters.add("encoder.W", {2, 3});
  parameters.add("encoder.b", {3});
  save_parameters(folder.path("model.safetensors"), parameters, {{"made by", "a\x1btest"}});
  const std::string dtype = sizeof(Real) == 8 ? "F64" : "F32", bytes = std::to_string(6 * sizeof(Real));

  const Finished table = dhyan({"inspect", folder.path("model.safetensors")});
  EXPECT_EQ(table.code, 0);
  EXPECT_TRUE(has(table.out, "encoder.W  " + dtype + "    [2,3]"));
  EXPECT_TRUE(has(table.out, "2 tensors, 9 elements, " + std::to_string(9 * sizeof(Real)) + " bytes\n"));
  EXPECT_TRUE(has(table.out, "made by: a?test\n")) << "a file must not steer the terminal";

  const Finished json = dhyan({"inspect", folder.path("model.safetensors"), "--json"});
  EXPECT_EQ(json.code, 0);
  EXPECT_TRUE(has(json.out, "\"dtype\": \"" + dtype + "\""));
  EXPECT_TRUE(has(json.out, "\"bytes\": " + bytes));
  EXPECT_TRUE(has(json.out, "\"elements\": 9"));
}

TEST(Binary, InspectReportsAMissingOrDamagedFile) {
  const TemporaryFolder folder;
  const Finished missing = dhyan({"inspect", folder.path("none")});
  EXPECT_EQ(missing.code, 3);
  EXPECT_EQ(missing.out, "");
  EXPECT_EQ(missing.error, "dhyan: error: " + folder.path("none") + ": cannot open: No such file or directory\n");

  std::ofstream(folder.path("damaged")) << "not a model";
  const Finished damaged = dhyan({"inspect", folder.path("damaged")});
  EXPECT_EQ(damaged.code, 3);
  EXPECT_TRUE(begins(damaged.error, "dhyan: error: " + folder.path("damaged") + ": "));
}

}  // namespace
}  // namespace dhyan
