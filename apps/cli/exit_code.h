#pragma once

#include <iosfwd>
#include <span>
#include <stdexcept>
#include <string_view>

namespace dhyan::cli {

// The exit codes of the program.
enum ExitCode : int {
  kOk = 0,
  kRunFailed = 1,
  kUsage = 2,     // the command line is wrong
  kUnusable = 3,  // a model, data or a setting cannot be used
  kTooLow = 4,    // success, but a score is below the required one
  kInterrupted = 130,
};

// Descriptions of the codes, for the manual.
struct ExitCodeEntry {
  ExitCode code;
  std::string_view meaning;
};
std::span<const ExitCodeEntry> exit_codes();

// A score is below the required one; neither the program nor its input is wrong.
struct ScoreTooLow : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Call it in a catch clause: prints the current exception to `errors` and returns its exit code. Only this function
// maps kinds of errors to codes.
ExitCode report_current_exception(std::ostream& errors);

}  // namespace dhyan::cli
