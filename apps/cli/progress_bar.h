#pragma once

#include <chrono>
#include <string>

#include "cli/status_line.h"
#include "core/number_text.h"
#include "core/progress.h"

namespace dhyan::cli {

// Shows how far long work has come, on standard error. On a terminal a bar that moves, and goes when the work ends;
// else a line now and then. Work of less than a second shows nothing.
class ProgressBar final : public ProgressSink {
 public:
  explicit ProgressBar(std::string what, int descriptor = 2);

  void update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view unit) override;

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  StatusLine status_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

struct Progress {
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total;
  std::string_view unit;
  double seconds = 0;
};

// "[####      ]", a share of it full.
std::string bar_of(double share, std::size_t width);

// "1:02:03 left".
std::string time_left(double seconds);

// "reading  45% [#########           ]  12.3 MB/s  0:12 left"; without a total, how much was done.
std::string progress_line(std::string_view what, const Progress& progress);

}  // namespace dhyan::cli
