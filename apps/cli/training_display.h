#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "cli/status_line.h"
#include "runs/training_run.h"

namespace dhyan::cli {

// The content of the status line of a training.
struct TrainingStatus {
  Moment at;
  Index max_epochs = 0;
  double loss = 0;  // recent -log p per target token
  std::vector<NamedScore> held_out;
  double tokens_per_second = 0;
  double seconds_left = 0;  // 0: unknown
};

// "epoch 3.41/20 [####      ]  loss 2.310  perplexity 10.07  held-out loss 2.5120  12,345 tokens/s  1:02 left".
std::string status_text(const TrainingStatus& status);

// Shows a training on standard error: a status line on a terminal; elsewhere a line per interval with the time left,
// and one in between if intervals are long. Validations and notes are permanent lines.
class TrainingDisplay final : public RunObserver {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;
  explicit TrainingDisplay(Index max_epochs, int descriptor = 2, Now now = Clock::now);

  void on_note(const std::string& text) override { line_.print(text); }
  std::unique_ptr<ProgressSink> progress(std::string_view what) override;
  void on_step(const StepEvent& event) override;
  void on_interval(const IntervalEvent& event) override;
  void on_validation(const ValidationEvent& event) override;
  void on_average(const AverageEvent& event) override { line_.print(to_text(event)); }

  void clear() { line_.clear(); }

 private:
  void restart_sums();

  StatusLine line_;
  TrainingStatus status_;
  Now now_;
  Clock::time_point start_, since_;  // of the first step; of the sums
  double done_at_start_ = -1;        // of Moment::done; below 0: no step yet
  Index tokens_ = 0;                 // since the last line or validation
  double nll_ = 0;
};

}  // namespace dhyan::cli
