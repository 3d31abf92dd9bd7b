#include "cli/training_display.h"

#include <cmath>
#include <iomanip>
#include <sstream>

#include "cli/progress_bar.h"
#include "core/error.h"

namespace dhyan::cli {

namespace {

// Without a terminal, slow steps print a line before the next log line.
constexpr std::chrono::milliseconds kBetweenDrawings{200}, kFirstLine{3000}, kBetweenLines{60'000};

// Smoothing factor of displayed values.
constexpr double kNew = 0.1;
void smooth(double& value, double next) { value = value == 0 ? next : (1 - kNew) * value + kNew * next; }

}  // namespace

std::string status_text(const TrainingStatus& status) {
  constexpr std::size_t kWidth = 12;
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << "epoch " << status.at.epochs;
  if (status.max_epochs > 0) text << '/' << status.max_epochs;
  text << ' ' << bar_of(status.at.done, kWidth) << std::setprecision(3) << "  loss " << status.loss
       << std::setprecision(2) << "  perplexity " << std::exp(status.loss) << std::setprecision(4);
  if (!status.held_out.empty()) {
    text << "  held-out " << status.held_out.front().name << ' ' << status.held_out.front().value;
  }
  text << "  " << grouped(static_cast<std::uint64_t>(status.tokens_per_second)) << " tokens/s";
  if (status.seconds_left > 0) text << "  " << time_left(status.seconds_left);
  return std::move(text).str();
}

TrainingDisplay::TrainingDisplay(Index max_epochs, int descriptor) : line_(descriptor) {
  status_.max_epochs = max_epochs;
}

std::unique_ptr<ProgressSink> TrainingDisplay::progress(std::string_view what) {
  return std::make_unique<ProgressBar>(std::string(what));
}

void TrainingDisplay::on_step(const StepEvent& event) {
  const Clock::time_point now = Clock::now();
  if (done_at_start_ < 0) {
    done_at_start_ = event.at.done;
    start_ = drawn_ = now;
    return;
  }
  tokens_ += event.target_tokens;
  nll_ += event.loss * static_cast<double>(event.target_tokens);
  const double share = event.at.done - done_at_start_;
  const auto seconds = [now](Clock::time_point since) { return std::chrono::duration<double>(now - since).count(); };
  status_.seconds_left = share > 0 ? seconds(start_) * (1 - event.at.done) / share : 0;
  const bool is_first = status_.at.step == 0;  // shows something at once
  const auto pause = line_.terminal() ? kBetweenDrawings : is_first ? kFirstLine : kBetweenLines;
  if (!(is_first && line_.terminal()) && now - drawn_ < pause) return;
  smooth(status_.loss, nll_ / static_cast<double>(tokens_));
  smooth(status_.tokens_per_second, static_cast<double>(tokens_) / seconds(drawn_));
  status_.at = event.at;
  line_.terminal() ? line_.show(status_text(status_)) : line_.print(status_text(status_));
  tokens_ = 0;
  nll_ = 0;
  drawn_ = now;
}

// The log line replaces the status.
void TrainingDisplay::on_interval(const IntervalEvent& event) {
  if (line_.terminal()) return;
  line_.print(cat(to_text(event), status_.seconds_left > 0 ? cat("  ", time_left(status_.seconds_left)) : ""));
  status_.at = event.at;
  tokens_ = 0;
  nll_ = 0;
  drawn_ = Clock::now();
}

void TrainingDisplay::on_validation(const ValidationEvent& event) {
  status_.held_out.assign(event.metrics.begin(), event.metrics.end());
  line_.print(to_text(event));
}

}  // namespace dhyan::cli
