#include "runs/training_log.h"

#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/number_text.h"

namespace dhyan {

namespace {

using Json = nlohmann::ordered_json;

// "step 1200  epoch 3.41": both fields have a fixed width unless the number is wider.
std::string place(const Moment& at) {
  std::ostringstream text;
  text << "step " << std::left << std::setw(6) << at.step << " epoch " << std::setw(6) << fixed(at.epochs, 2);
  return std::move(text).str();
}

std::string list(std::span<const NamedScore> metrics) {
  std::string text;
  for (const NamedScore& metric : metrics) {
    text += cat(text.empty() ? "" : "  ", metric.name, " ", fixed(metric.value, metric.name == "loss" ? 4 : 2));
  }
  return text;
}

Json begun(const char* event, const Moment& at) {
  return {{"event", event}, {"step", at.step}, {"epochs", at.epochs}, {"seconds", at.seconds}};
}

void add(Json& json, std::span<const NamedScore> metrics) {
  for (const NamedScore& metric : metrics) json[metric.name] = metric.value;
}

}  // namespace

std::string to_text(const IntervalEvent& event) {
  std::ostringstream rate, ratio;
  rate << std::setprecision(3) << event.learning_rate;
  ratio << std::setprecision(2) << event.update_ratio;
  std::string text = cat(place(event.at), " loss ", fixed(event.loss, 4), "  perplexity ", fixed(event.perplexity, 2),
                         "  rate ", rate.str(), "  gradient ", fixed(event.gradient_norm, 2), "  update ", ratio.str(),
                         "  ", fixed(event.tokens_per_second, 0), " tokens/s");
  if (event.skipped > 0) text += cat("  steps skipped so far, not finite: ", event.skipped);
  return text;
}

std::string to_text(const ValidationEvent& event) {
  return cat(place(event.at), " held-out: ", list(event.metrics), event.best ? "  (best so far)" : "");
}

std::string to_text(const AverageEvent& event) {
  return cat("mean of ", event.checkpoints,
             " checkpoints: ", event.metrics.empty() ? "" : "held-out: ", list(event.metrics),
             event.taken ? "  (taken)" : "  (no better, not taken)");
}

std::string to_json(const IntervalEvent& event) {
  Json json = begun("interval", event.at);
  json["loss"] = event.loss;
  json["perplexity"] = event.perplexity;
  json["learning_rate"] = event.learning_rate;
  json["gradient_norm"] = event.gradient_norm;
  json["update_ratio"] = event.update_ratio;
  json["tokens_per_second"] = event.tokens_per_second;
  json["skipped"] = event.skipped;
  return json.dump();
}

std::string to_json(const ValidationEvent& event) {
  Json json = begun("validation", event.at);
  add(json, event.metrics);
  json["best"] = event.best;
  return json.dump();
}

std::string to_json(const AverageEvent& event) {
  Json json{{"event", "average"}, {"checkpoints", event.checkpoints}};
  add(json, event.metrics);
  json["taken"] = event.taken;
  return json.dump();
}

std::string to_json(const Moment& at, const SampleTranslation& sample) {
  constexpr double kDigits = 1e4;  // precision of weights, which are only drawn
  Json json = begun("sample", at);
  json["source"] = sample.source;
  json["translation"] = sample.translation;
  json["reference"] = sample.reference;
  json["weights"] = Json::array();
  for (const std::vector<double>& row : sample.weights) {
    Json numbers = Json::array();
    for (const double weight : row) numbers.push_back(std::round(weight * kDigits) / kDigits);
    json["weights"].push_back(std::move(numbers));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

TrainingLog::TrainingLog(const std::filesystem::path& folder, Begin begin) {
  const auto mode = begin == Begin::kAnew ? std::ios::trunc : std::ios::app;
  const auto open = [&](const char* name) {
    File file{(folder / name).string(), std::ofstream(folder / name, std::ios::binary | std::ios::out | mode)};
    if (!file.out) throw WriteError(cat(file.path, ": cannot be opened for writing"));
    return file;
  };
  log_ = open(files()[0].c_str());
  json_ = open(files()[1].c_str());
  samples_ = open(files()[2].c_str());
}

void TrainingLog::on_validation(const ValidationEvent& event) {
  write(event);
  for (const SampleTranslation& sample : event.samples) samples_.write(to_json(event.at, sample));
}

void TrainingLog::note(std::string_view text) { log_.write(std::string(text)); }

void TrainingLog::File::write(const std::string& line) {
  out << line << '\n' << std::flush;
  if (!out) throw WriteError(cat(path, ": cannot write"));
}

}  // namespace dhyan
