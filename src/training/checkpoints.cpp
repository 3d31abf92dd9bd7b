#include "training/checkpoints.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "interop/parameter_file.h"

namespace dhyan {

namespace fs = std::filesystem;

Checkpoints::Checkpoints(fs::path folder, const CheckpointRules& rules, Writes writes)
    : folder_(std::move(folder)), rules_(rules), writes_(writes) {
  validation_metric(rules_.metric);
  for (const std::string& metric : rules_.record_metrics) validation_metric(metric);
  rules_.best = std::max<Index>(rules_.best, 1);
}

void Checkpoints::save(const fs::path& file, const ParameterSet& weights) const {
  if (writes_ == Writes::kFiles) save_parameters(file, weights);
}

bool Checkpoints::add_validated(KeptCheckpoints& kept, Index step, std::span<const NamedScore> metrics,
                                const ParameterSet& weights) const {
  add_records(kept, metrics, weights);
  return add_best(kept, {step, value_of(metrics, rules_.metric)}, weights);
}

bool Checkpoints::add_best(KeptCheckpoints& kept, const Checkpoint& checkpoint, const ParameterSet& weights) const {
  if (!std::isfinite(checkpoint.score)) return false;
  std::vector<Checkpoint>& best = kept.best;
  const ValidationMetric& metric = validation_metric(rules_.metric);
  const auto cost = [&](const Checkpoint& one) { return cost_of(metric, one.score); };
  const auto place =
      std::ranges::upper_bound(best, cost(checkpoint), {}, cost) - best.begin();  // on a tie the older one first
  best.insert(best.begin() + place, checkpoint);
  while (std::ssize(best) > rules_.best) best.pop_back();  // several if the options have changed
  if (place >= rules_.best) return false;
  const bool first = place == 0 && (!kept.mean || cost(checkpoint) < cost_of(metric, *kept.mean));
  if (rules_.best > 1) save(checkpoint_file(folder_, checkpoint.step), weights);
  if (first) {
    save_model(weights);
    kept.mean.reset();
  }
  return first;
}

void Checkpoints::add_records(KeptCheckpoints& kept, std::span<const NamedScore> metrics,
                              const ParameterSet& weights) const {
  for (const std::string& name : rules_.record_metrics) {
    const ValidationMetric& metric = validation_metric(name);
    const double value = value_of(metrics, name);
    const auto record = std::ranges::find(kept.records, name, &NamedScore::name);
    const bool known = record != kept.records.end();
    if (std::isnan(value) || (known && cost_of(metric, value) >= cost_of(metric, record->value))) continue;
    save(folder_ / cat("model-best-", name, ".safetensors"), weights);
    if (known) {
      record->value = value;
    } else {
      kept.records.push_back({name, value});
    }
  }
}

void Checkpoints::add_last(KeptCheckpoints& kept, Index step, const ParameterSet& weights) const {
  if (rules_.last < 1) return;
  if (kept.last.empty() || kept.last.back() != step) kept.last.push_back(step);
  while (std::ssize(kept.last) > rules_.last) kept.last.erase(kept.last.begin());
  save(checkpoint_file(folder_, step), weights);
}

void Checkpoints::forget_others(const KeptCheckpoints& kept) const {
  if (writes_ == Writes::kNothing) return;
  std::set<fs::path> named;
  for (const fs::path& file : files_of_last(folder_, kept)) named.insert(file);
  if (rules_.best > 1) {
    for (const fs::path& file : files_of_best(folder_, kept)) named.insert(file);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(state_folder(folder_))) {
    const std::string name = entry.path().filename();
    if (name.starts_with("step-") && name.ends_with(".safetensors") && !named.contains(entry.path())) {
      fs::remove(entry.path());
    }
  }
}

void Checkpoints::save_model(const ParameterSet& weights) const { save(model_file(folder_), weights); }
void Checkpoints::load_model(ParameterSet& weights) const { load_parameters(model_file(folder_), weights); }

fs::path model_file(const fs::path& folder) { return folder / "model.safetensors"; }
fs::path state_folder(const fs::path& folder) { return folder / "training"; }
fs::path state_file(const fs::path& folder) { return state_folder(folder) / "state.safetensors"; }
fs::path checkpoint_file(const fs::path& folder, Index step) {
  return state_folder(folder) / cat("step-", step, ".safetensors");
}

std::vector<fs::path> files_of_best(const fs::path& folder, const KeptCheckpoints& kept) {
  std::vector<fs::path> files;
  for (const Checkpoint& one : kept.best) files.push_back(checkpoint_file(folder, one.step));
  return files;
}

std::vector<fs::path> files_of_last(const fs::path& folder, const KeptCheckpoints& kept) {
  std::vector<fs::path> files;
  for (const Index step : kept.last) files.push_back(checkpoint_file(folder, step));
  return files;
}

void load_mean(std::span<const fs::path> files, ParameterSet& weights, const std::function<void()>& poll,
               ProgressSink* progress) {
  if (files.empty()) throw UsageError("load_mean: no files, expected at least one");
  std::uint64_t done = 0;
  std::vector<std::vector<double>> sums;
  for (const Parameter& weight : weights) sums.emplace_back(static_cast<std::size_t>(weight.value.size()));
  for (const fs::path& file : files) {
    if (poll) poll();
    load_parameters(file, weights);
    for (const Parameter& weight : weights) {
      std::ranges::transform(sums[weight.index], weight.value.span(), sums[weight.index].begin(), std::plus<double>());
    }
    if (progress != nullptr) progress->update(++done, files.size(), "checkpoints");
  }
  for (Parameter& weight : weights) {
    std::ranges::transform(sums[weight.index], weight.value.data(),
                           [&](double sum) { return static_cast<Real>(sum / static_cast<double>(files.size())); });
  }
}

}  // namespace dhyan
