#include "runs/tensorboard_log.h"

#include <chrono>
#include <vector>

#include "core/error.h"
#include "interop/tfevents.h"

namespace dhyan {

namespace {

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// TensorBoard reads files in the order of their names.
std::filesystem::path free_name(const std::filesystem::path& folder) {
  const auto seconds = static_cast<std::int64_t>(seconds_since_1970());
  for (int number = 0;; ++number) {
    std::filesystem::path path = folder / cat("events.out.tfevents.", seconds, ".", number, ".dhyan");
    if (!std::filesystem::exists(path)) return path;
  }
}

}  // namespace

TensorboardLog::TensorboardLog(const std::filesystem::path& folder)
    : path_(free_name(folder).string()), out_(path_, std::ios::binary) {
  write(tfevents_begin(seconds_since_1970()));
}

void TensorboardLog::on_interval(const IntervalEvent& event) {
  const std::vector<NamedScalar> scalars{{"train/loss", event.loss},
                                         {"train/perplexity", event.perplexity},
                                         {"train/learning_rate", event.learning_rate},
                                         {"train/gradient_norm", event.gradient_norm},
                                         {"train/update_ratio", event.update_ratio},
                                         {"train/tokens_per_second", event.tokens_per_second}};
  write(tfevents_scalars(seconds_since_1970(), event.at.step, scalars));
}

void TensorboardLog::on_validation(const ValidationEvent& event) {
  std::vector<NamedScalar> scalars;
  for (const NamedScore& metric : event.metrics) scalars.push_back({cat("valid/", metric.name), metric.value});
  write(tfevents_scalars(seconds_since_1970(), event.at.step, scalars));
}

void TensorboardLog::write(const std::string& record) {
  out_ << record << std::flush;
  if (!out_) throw WriteError(cat(path_, ": cannot write"));
}

}  // namespace dhyan
