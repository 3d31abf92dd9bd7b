#include "cli/progress_bar.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

#include "core/error.h"

namespace dhyan::cli {

namespace {

using std::chrono::milliseconds;
constexpr milliseconds kFirstBar{1000}, kBetweenBars{200}, kBetweenLines{10'000};

std::string amount(double number, std::string_view unit) {
  std::ostringstream text;
  if (unit == "bytes") {
    text << std::fixed << std::setprecision(1) << number / 1e6 << " MB";
  } else {
    text << grouped(static_cast<std::uint64_t>(number)) << ' ' << unit;
  }
  return std::move(text).str();
}

}  // namespace

std::string bar_of(double share, std::size_t width) {
  const auto full = static_cast<std::size_t>(share * static_cast<double>(width));
  return cat("[", std::string(full, '#'), std::string(width - full, ' '), "]");
}

std::string time_left(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::min(seconds, 359'999.0)));
  std::ostringstream text;
  text << std::setfill('0');
  if (whole >= 3600) text << whole / 3600 << ':' << std::setw(2);
  text << whole / 60 % 60 << ':' << std::setw(2) << whole % 60 << " left";
  return std::move(text).str();
}

std::string progress_line(std::string_view what, const Progress& progress) {
  const auto done = static_cast<double>(progress.done);
  const double rate = progress.seconds > 0 ? done / progress.seconds : 0;
  std::ostringstream text;
  text << what << "  ";
  if (!progress.total || *progress.total == 0) {
    text << amount(done, progress.unit) << "  " << amount(rate, progress.unit) << "/s";
    return std::move(text).str();
  }
  constexpr std::size_t kWidth = 20;
  const double share = std::min(1.0, done / static_cast<double>(*progress.total));
  text << std::setw(3) << static_cast<int>(100 * share) << "% " << bar_of(share, kWidth) << "  "
       << amount(rate, progress.unit) << "/s";
  if (rate > 0) text << "  " << time_left(std::max(0.0, static_cast<double>(*progress.total) - done) / rate);
  return std::move(text).str();
}

ProgressBar::ProgressBar(std::string what, int descriptor) : what_(std::move(what)), status_(descriptor) {
  next_ = start_ + (status_.terminal() ? kFirstBar : kBetweenLines);
}

void ProgressBar::update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view unit) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string line = progress_line(what_, {done, total, unit, seconds});
  status_.terminal() ? status_.show(line) : status_.print(line);
  next_ = now + (status_.terminal() ? kBetweenBars : kBetweenLines);
}

}  // namespace dhyan::cli
