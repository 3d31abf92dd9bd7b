#include "cli/interrupt.h"

#include <csignal>
#include <ctime>
#include <unistd.h>

#include "cli/exit_code.h"

namespace dhyan::cli {

namespace {

// The only globals of the program: a signal handler has no argument to receive anything else by.
volatile std::sig_atomic_t signals_received = 0;

volatile std::sig_atomic_t first_second = 0;  // when, on a clock that only runs forward

std::sig_atomic_t seconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::sig_atomic_t>(now.tv_sec);
}

// timeout(1) and shells may send one signal twice, to a process and to its group: what follows at once is the same one.
void on_signal(int) {
  constexpr std::sig_atomic_t kSameSignal = 1;
  if (signals_received == 0) {
    first_second = seconds_now();
    signals_received = 1;
  } else if (seconds_now() - first_second > kSameSignal) {
    ::_exit(kInterrupted);
  }
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
  std::signal(SIGXFSZ, SIG_IGN);
}

bool interrupted() { return signals_received != 0; }

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace dhyan::cli
