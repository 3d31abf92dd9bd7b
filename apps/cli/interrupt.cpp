#include "cli/interrupt.h"

#include <csignal>
#include <unistd.h>

#include "cli/exit_code.h"

namespace dhyan::cli {

namespace {

// The one global of the program: a signal handler has no argument to receive anything else by.
volatile std::sig_atomic_t signals_received = 0;

void on_signal(int) {
  if (signals_received != 0) ::_exit(kInterrupted);
  signals_received = 1;
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // not SA_RESTART: a blocked read or write must come back
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return signals_received != 0; }

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace dhyan::cli
