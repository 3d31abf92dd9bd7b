#include <iostream>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/program.h"
#include "core/bus_error.h"
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
    const cli::ExitCode code = cli::report_current_exception(std::cerr);
    // Exit without waiting for a thread whose work cannot be stopped (text/run_polled.h); returning would wait.
    if (code == cli::kInterrupted) ::_exit(code);
    return code;
  }
}
