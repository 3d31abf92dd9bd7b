#include <iostream>
#include <sstream>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/program.h"
#include "core/bus_error.h"
#include "distributed/launcher.h"
#include "kernels/simd/runtime.h"

int main(int argc, char** argv) {
  using namespace dhyan;
  try {
    cli::catch_signals();
    catch_bus_errors();
    kernels::prepare_thread();
    cli::Output output(1);
    cli::run_program(argc, argv, output);
    return cli::kOk;
  } catch (...) {
    std::ostringstream text;
    const cli::ExitCode code = cli::report_current_exception(text);
    // All ranks find the same mistake in a command line; one says so.
    if (code != cli::kUsage || launched().rank == 0) std::cerr << text.str();
    // Exits without waiting for a thread whose work cannot be stopped (text/run_polled.h); returning would wait.
    if (code == cli::kInterrupted) ::_exit(code);
    return code;
  }
}
