#pragma once

#include <chrono>
#include <string>

#include "core/progress.h"

namespace dhyan::cli {

// Shows how far long work has come, on standard error. On a terminal a bar that moves, and goes when the work ends;
// else a line now and then. Work of less than a second shows nothing.
class ProgressBar final : public ProgressSink {
 public:
  explicit ProgressBar(std::string what, int descriptor = 2);
  ~ProgressBar() override;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view unit) override;

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  int descriptor_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

struct Progress {
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total;
  std::string_view unit;
  double seconds = 0;
};

// "reading  45% [#########           ]  12.3 MB/s  0:12 left"; without a total, how much was done.
std::string progress_line(std::string_view what, const Progress& progress);

// "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace dhyan::cli
