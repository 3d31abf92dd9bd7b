#include "cli/training_display.h"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

#include "cli/progress_bar.h"
#include "core/error.h"

namespace dhyan::cli {

namespace {

// Without a terminal, slow steps print a line before the next log line.
constexpr std::chrono::milliseconds kBetweenDrawings{200}, kFirstLine{3000}, kBetweenLines{60'000};

// A terminal is drawn so often that its values jump unless they are smoothed; a line is the mean since the one before.
constexpr double kShareOfNew = 0.1;
void follow(double& value, double next, bool smoothed) {
  value = smoothed && value != 0 ? (1 - kShareOfNew) * value + kShareOfNew * next : next;
}

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

TrainingDisplay::TrainingDisplay(Index max_epochs, int descriptor, Now now)
    : line_(descriptor), now_(std::move(now)), start_(now_()), since_(start_) {
  status_.max_epochs = max_epochs;
}

std::unique_ptr<ProgressSink> TrainingDisplay::progress(std::string_view what) {
  return std::make_unique<ProgressBar>(std::string(what));
}

void TrainingDisplay::restart_sums() {
  tokens_ = 0;
  nll_ = 0;
  since_ = now_();
}

void TrainingDisplay::on_step(const StepEvent& event) {
  const Clock::time_point now = now_();
  if (done_at_start_ < 0) {
    done_at_start_ = event.at.done;
    start_ = since_ = now;
    return;
  }
  if (std::isfinite(event.loss)) {  // else the step was skipped
    tokens_ += event.target_tokens;
    nll_ += event.loss * static_cast<double>(event.target_tokens);
  }
  const double share = event.at.done - done_at_start_;
  const auto seconds = [now](Clock::time_point since) { return std::chrono::duration<double>(now - since).count(); };
  status_.seconds_left = share > 0 ? seconds(start_) * (1 - event.at.done) / share : 0;
  const bool is_first = status_.at.step == 0;  // shows something at once
  const auto pause = line_.terminal() ? kBetweenDrawings : is_first ? kFirstLine : kBetweenLines;
  if (tokens_ == 0 || (!(is_first && line_.terminal()) && now - since_ < pause)) return;
  follow(status_.loss, nll_ / static_cast<double>(tokens_), line_.terminal());
  follow(status_.tokens_per_second, static_cast<double>(tokens_) / seconds(since_), line_.terminal());
  status_.at = event.at;
  line_.terminal() ? line_.show(status_text(status_)) : line_.print(status_text(status_));
  restart_sums();
}

// The log line replaces the status.
void TrainingDisplay::on_interval(const IntervalEvent& event) {
  if (line_.terminal()) return;
  line_.print(cat(to_text(event), status_.seconds_left > 0 ? cat("  ", time_left(status_.seconds_left)) : ""));
  status_.at = event.at;
  restart_sums();
}

// The time of validating is not that of steps.
void TrainingDisplay::on_validation(const ValidationEvent& event) {
  status_.held_out.assign(event.metrics.begin(), event.metrics.end());
  line_.print(to_text(event));
  restart_sums();
}

}  // namespace dhyan::cli
