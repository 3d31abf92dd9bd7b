#include "runs/training_history.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestEvent = std::size_t{4} << 20;
constexpr std::uintmax_t kLargestLog = std::uintmax_t{1} << 30;
constexpr std::size_t kMostCurves = 100;
constexpr Index kLastStep = Index{1} << 50;

// Reads JSON objects, one per line.
class JsonLines {
 public:
  JsonLines(std::string_view text, std::string_view where) : rest_(text), where_(where) {}

  bool next(Json& json) {
    const std::size_t end = rest_.find('\n');
    if (end == rest_.npos) return false;
    ++line_;
    if (end > kLongestEvent) fail(cat("a line of ", end, " bytes, expected at most ", kLongestEvent));
    json = Json::parse(rest_.substr(0, end), nullptr, false);
    rest_.remove_prefix(end + 1);
    if (!json.is_object()) fail("expected a JSON object");
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const { throw DataError(cat(where_, ":", line_, ": ", what)); }

  Index step_of(const Json& json) const { return count_of(json, "step"); }

  Index count_of(const Json& json, const char* name) const {
    const auto count = json.find(name);
    if (count == json.end() || !count->is_number_unsigned()) fail(cat("expected '", name, "', a number from 0 on"));
    const auto number = count->get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(kLastStep)) {
      fail(cat(name, " is ", number, ", expected at most ", kLastStep));
    }
    return static_cast<Index>(number);
  }

 private:
  std::string_view rest_, where_;
  Index line_ = 0;
};

bool is_place(std::string_view name) { return name == "step" || name == "epochs" || name == "seconds"; }

void add_value(std::vector<HistoryCurve>& curves, const std::string& name, Index step, double value) {
  auto curve = std::ranges::find(curves, name, &HistoryCurve::name);
  if (curve == curves.end()) {
    if (curves.size() == kMostCurves) return;
    curve = curves.insert(curves.end(), {name, {}});
  }
  while (!curve->values.empty() && curve->values.back().step >= step) curve->values.pop_back();
  curve->values.push_back({step, value});
}

bool is_true(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

// Reads the average of checkpoints, if it was kept.
void add_mean(TrainingHistory& history, const JsonLines& lines, const Json& json) {
  if (!is_true(json, "taken")) return;
  history.mean_of = lines.count_of(json, "checkpoints");
  history.mean.clear();
  for (const auto& [name, value] : json.items()) {
    if (value.is_number() && name != "checkpoints" && history.mean.size() < kMostCurves) {
      history.mean.push_back({name, value.get<double>()});
    }
  }
}

std::vector<std::string> words_of(const JsonLines& lines, const Json& json, const char* name) {
  const auto found = json.find(name);
  std::vector<std::string> words;
  if (found == json.end() || !found->is_array()) lines.fail(cat("expected '", name, "', a list of tokens"));
  for (const Json& word : *found) {
    if (!word.is_string()) lines.fail(cat("'", name, "' has ", word.type_name(), ", expected tokens"));
    words.push_back(word.get<std::string>());
  }
  return words;
}

std::vector<std::vector<double>> weights_of(const JsonLines& lines, const Json& json, const AttentionSample& sample) {
  std::vector<std::vector<double>> weights;
  const auto found = json.find("weights");
  if (found == json.end() || !found->is_array() || found->empty()) return weights;
  if (found->size() != sample.translation.size()) {
    lines.fail(cat("'weights' has ", found->size(), " rows for ", sample.translation.size(), " tokens"));
  }
  for (const Json& row : *found) {
    if (!row.is_array() || row.size() != sample.source.size()) {
      lines.fail(cat("expected rows of 'weights' of ", sample.source.size(), " numbers, one for each source token"));
    }
    std::vector<double>& numbers = weights.emplace_back();
    for (const Json& weight : row) {
      if (!weight.is_number()) lines.fail(cat("'weights' has ", weight.type_name(), ", expected numbers"));
      numbers.push_back(weight.get<double>());
    }
  }
  return weights;
}

std::string read_log(const fs::path& path) {
  std::error_code failed;
  const std::uintmax_t bytes = fs::file_size(path, failed);
  if (failed) throw DataError(cat(path.string(), ": cannot be read: ", failed.message()));
  if (bytes > kLargestLog)
    throw DataError(cat(path.string(), ": has ", bytes, " bytes, expected at most ", kLargestLog));
  if (bytes == 0) return {};
  const MappedFile file(path);
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

}  // namespace

TrainingHistory parse_history(std::string_view text, std::string_view where) {
  TrainingHistory history;
  JsonLines lines(text, where);
  Json json;
  while (lines.next(json)) {
    const auto event = json.find("event");
    const bool interval = event != json.end() && *event == "interval";
    const bool validation = event != json.end() && *event == "validation";
    if (event != json.end() && *event == "average") add_mean(history, lines, json);
    if (!interval && !validation) continue;
    const Index step = lines.step_of(json);
    std::vector<HistoryCurve>& curves = interval ? history.training : history.validation;
    for (const auto& [name, value] : json.items()) {
      if (value.is_number() && !is_place(name)) add_value(curves, name, step, value.get<double>());
    }
    history.steps = step;
    const auto seconds = json.find("seconds");
    if (seconds != json.end() && seconds->is_number()) history.seconds = seconds->get<double>();
    if (!is_true(json, "best")) continue;
    history.best_step = step;
    history.mean_of = 0;
  }
  return history;
}

std::optional<double> kept_value(const TrainingHistory& history, const HistoryCurve& curve) {
  if (history.mean_of > 0) {
    const auto mean = std::ranges::find(history.mean, curve.name, &NamedScore::name);
    return mean == history.mean.end() ? std::nullopt : std::optional(mean->value);
  }
  const auto kept = std::ranges::find(curve.values, history.best_step, &HistoryCurve::Value::step);
  return kept == curve.values.end() ? std::nullopt : std::optional(kept->value);
}

std::vector<AttentionSample> parse_samples(std::string_view text, std::string_view where) {
  std::vector<AttentionSample> samples;
  JsonLines lines(text, where);
  Json json;
  while (lines.next(json)) {
    AttentionSample sample;
    sample.step = lines.step_of(json);
    sample.source = words_of(lines, json, "source");
    sample.translation = words_of(lines, json, "translation");
    const auto reference = json.find("reference");
    if (reference != json.end() && reference->is_string()) sample.reference = reference->get<std::string>();
    sample.weights = weights_of(lines, json, sample);
    while (!samples.empty() && samples.back().step > sample.step) samples.pop_back();
    samples.push_back(std::move(sample));
  }
  return samples;
}

TrainingHistory read_history(const fs::path& folder) {
  const fs::path path = folder / "train.jsonl";
  return parse_history(read_log(path), path.string());
}

std::vector<AttentionSample> read_samples(const fs::path& folder) {
  const fs::path path = folder / "training" / "samples.jsonl";
  if (!fs::exists(path)) return {};
  return parse_samples(read_log(path), path.string());
}

double sharpness_of(const AttentionSample& sample) {
  double sum = 0;
  for (const std::vector<double>& row : sample.weights) sum += row.empty() ? 0 : *std::ranges::max_element(row);
  return sample.weights.empty() ? 0 : sum / static_cast<double>(sample.weights.size());
}

}  // namespace dhyan
