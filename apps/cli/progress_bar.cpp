#include "cli/progress_bar.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <functional>
#include <iomanip>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace dhyan::cli {

namespace {

std::string amount(double number, std::string_view unit) {
  if (unit != "bytes") return cat(grouped(static_cast<std::uint64_t>(number)), ' ', unit);
  return number < 1e6 ? cat(fixed(number / 1e3, 1), " kB") : cat(fixed(number / 1e6, 1), " MB");
}

// Slow work has a rate below one per second.
std::string rate_text(double rate, std::string_view unit) {
  if (rate >= 10 || unit == "bytes") return cat(amount(rate, unit), "/s");
  return cat(fixed(rate, 1), ' ', unit, "/s");
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::min(seconds, 359'999.0)));
  std::ostringstream text;
  text << std::setfill('0');
  if (whole >= 3600) text << whole / 3600 << ':' << std::setw(2);
  text << whole / 60 % 60 << ':' << std::setw(2) << whole % 60;
  return std::move(text).str();
}

// A thread that blocks all signals, so that a signal interrupts reads and writes of the caller.
std::thread quiet_thread(const std::function<void()>& work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread;
  try {
    thread = std::thread(work);
  } catch (const std::system_error&) {  // without the thread, update() draws
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

std::string bar_of(double share, std::size_t width) {
  const auto full = static_cast<std::size_t>(share * static_cast<double>(width));
  return cat("[", std::string(full, '#'), std::string(width - full, ' '), "]");
}

std::string time_left(double seconds) { return clock_text(seconds) + " left"; }

std::string progress_line(std::string_view what, const Progress& progress) {
  if (progress.unit.empty()) return cat(what, "  ", clock_text(progress.seconds), " so far");
  const auto done = static_cast<double>(progress.done);
  const double rate = progress.seconds > 0 ? done / progress.seconds : 0;
  std::ostringstream text;
  text << what << "  ";
  if (!progress.total || *progress.total == 0) {
    text << amount(done, progress.unit) << "  " << rate_text(rate, progress.unit);
    return std::move(text).str();
  }
  constexpr std::size_t kWidth = 20;
  const double share = std::min(1.0, done / static_cast<double>(*progress.total));
  text << std::setw(3) << static_cast<int>(100 * share) << "% " << bar_of(share, kWidth) << "  "
       << rate_text(rate, progress.unit);
  if (rate > 0) text << "  " << time_left(std::max(0.0, static_cast<double>(*progress.total) - done) / rate);
  return std::move(text).str();
}

ProgressBar::ProgressBar(std::string what, int descriptor, std::optional<ProgressPace> pace)
    : what_(std::move(what)), status_(descriptor) {
  pace_ = pace.value_or(status_.terminal() ? kPaceOnTerminal : kPaceInLines);
  next_ = start_ + pace_.first;
  thread_ = quiet_thread([this] { draw_until_done(); });
}

ProgressBar::~ProgressBar() {
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  done_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ProgressBar::update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view unit) {
  const std::lock_guard lock(mutex_);
  progress_.done = done;
  progress_.total = total;
  if (progress_.unit != unit) progress_.unit = unit;
  if (thread_.joinable()) return;
  const Clock::time_point now = Clock::now();
  if (now >= next_) draw(now);
}

void ProgressBar::draw_until_done() {
  std::unique_lock lock(mutex_);
  while (!done_.wait_until(lock, next_, [this] { return is_done_; })) draw(Clock::now());
}

// Without progress, such as while input is awaited, there is no further line.
void ProgressBar::draw(Clock::time_point now) {
  next_ = now + pace_.between;
  pace_.between = std::min(2 * pace_.between, pace_.longest);
  if (!status_.terminal() && !progress_.unit.empty() && drawn_ == progress_.done) return;
  progress_.seconds = std::chrono::duration<double>(now - start_).count();
  const std::string line = progress_line(what_, progress_);
  status_.terminal() ? status_.show(line) : status_.print(line);
  drawn_ = progress_.done;
}

}  // namespace dhyan::cli
