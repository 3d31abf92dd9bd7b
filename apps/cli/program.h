#pragma once

#include "cli/output.h"

namespace dhyan::cli {

// Runs a command line. Results go to the output; failure is an exception.
void run_program(int argc, const char* const* argv, Output& output);

}  // namespace dhyan::cli
