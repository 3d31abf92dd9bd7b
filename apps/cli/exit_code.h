#pragma once

#include <iosfwd>
#include <span>
#include <stdexcept>
#include <string_view>

namespace dhyan::cli {

// What a shell script sees.
enum ExitCode : int {
  kOk = 0,
  kRunFailed = 1,
  kUsage = 2,     // the command line is wrong
  kUnusable = 3,  // a model, data or a setting cannot be worked with
  kTooLow = 4,    // all went well, but a score is below what was asked for
  kInterrupted = 130,
};

// The codes in words, for the manual.
struct ExitCodeEntry {
  ExitCode code;
  std::string_view meaning;
};
std::span<const ExitCodeEntry> exit_codes();

// What was measured is not as good as it had to be: not an error of the program, nor of its input.
struct ScoreTooLow : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// To be called in a catch clause: tells `errors` about the exception being handled, and gives its exit code. The one
// place where kinds of errors become numbers.
ExitCode report_current_exception(std::ostream& errors);

}  // namespace dhyan::cli
