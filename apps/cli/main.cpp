#include <iostream>

#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/program.h"
#include "kernels/runtime.h"

int main(int argc, char** argv) {
  using namespace dhyan;
  try {
    cli::catch_signals();
    kernels::prepare_thread();
    cli::Output output(1);
    cli::run_program(argc, argv, output);
    return cli::kOk;
  } catch (...) {
    return cli::report_current_exception(std::cerr);
  }
}
