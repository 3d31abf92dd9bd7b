#pragma once

#include <iosfwd>

namespace dhyan::cli {

// What a shell script sees.
enum ExitCode : int {
  kOk = 0,
  kRunFailed = 1,
  kUsage = 2,     // the command line is wrong
  kUnusable = 3,  // a model, data or a setting cannot be worked with
  kInterrupted = 130,
};

// To be called in a catch clause: tells `errors` about the exception being handled, and gives its exit code. The one
// place where kinds of errors become numbers.
ExitCode report_current_exception(std::ostream& errors);

}  // namespace dhyan::cli
