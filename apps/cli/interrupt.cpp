#include "cli/interrupt.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <unistd.h>

#include "cli/exit_code.h"

namespace dhyan::cli {

namespace {

// The only globals of the program: a signal handler receives no other state.
std::atomic<std::int64_t> first_signal = 0;  // time in milliseconds of a monotonic clock; 0: no signal yet
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler must not wait for a lock");

std::int64_t milliseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return 1 + std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// timeout(1) and shells may send one signal twice, to a process and to its group: one that follows at once is the same.
void on_signal(int) {
  constexpr std::int64_t kSameSignal = 300;
  const std::int64_t now = milliseconds_now();
  std::int64_t first = 0;
  if (!first_signal.compare_exchange_strong(first, now) && now - first > kSameSignal) ::_exit(kInterrupted);
}

// nohup(1) starts a program with SIGHUP ignored, so that it outlives its terminal.
bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // without SA_RESTART: a blocked read or write must return
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGUSR1, &action, nullptr);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool interrupted() { return first_signal.load(std::memory_order_relaxed) != 0; }

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace dhyan::cli
