#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "cli/status_line.h"
#include "core/number_text.h"
#include "core/progress.h"

namespace dhyan::cli {

struct Progress {
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total = {};
  std::string unit = {};  // empty: only the time is known
  double seconds = 0;
};

// When a bar is drawn: first after `first`, then after pauses that double up to a maximum.
struct ProgressPace {
  std::chrono::milliseconds first, between, longest;
};
inline constexpr ProgressPace kPaceOnTerminal{std::chrono::seconds(1), std::chrono::milliseconds(200),
                                              std::chrono::milliseconds(200)};
inline constexpr ProgressPace kPaceInLines{std::chrono::seconds(3), std::chrono::seconds(10), std::chrono::seconds(60)};

// Shows the progress of long work on standard error: on a terminal a bar that disappears when the work ends; otherwise
// a line after three seconds and then less and less often. A separate thread draws it, so that it also moves while the
// work reports nothing.
class ProgressBar final : public ProgressSink {
 public:
  explicit ProgressBar(std::string what, int descriptor = 2, std::optional<ProgressPace> pace = {});
  ~ProgressBar() override;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view unit) override;

 private:
  using Clock = std::chrono::steady_clock;

  void draw_until_done();
  void draw(Clock::time_point now);

  std::string what_;
  StatusLine status_;
  ProgressPace pace_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable done_;
  bool is_done_ = false;
  Progress progress_;
  std::optional<std::uint64_t> drawn_;  // progress when it was last drawn
  std::thread thread_;
};

// "[####      ]", filled up to a share.
std::string bar_of(double share, std::size_t width);

// "1:02:03 left".
std::string time_left(double seconds);

// "reading  45% [#########           ]  1,230 sentences/s  0:12 left"; without a total, the count.
std::string progress_line(std::string_view what, const Progress& progress);

}  // namespace dhyan::cli
