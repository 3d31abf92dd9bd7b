#include "training/best_checkpoints.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "interop/safetensors.h"

namespace dhyan {

namespace fs = std::filesystem;

BestCheckpoints::BestCheckpoints(fs::path model, fs::path folder, Index keep)
    : model_(std::move(model)), folder_(std::move(folder)), keep_(static_cast<std::size_t>(std::max<Index>(keep, 1))) {}

fs::path BestCheckpoints::file_of(Index step) const { return folder_ / cat("step-", step, ".safetensors"); }

bool BestCheckpoints::add(std::vector<Checkpoint>& best, const Checkpoint& checkpoint,
                          const ParameterSet& weights) const {
  if (std::isnan(checkpoint.loss)) return false;
  const auto place =
      std::ranges::upper_bound(best, checkpoint.loss, {}, &Checkpoint::loss);  // the older of equals first
  const bool first = place == best.begin();
  if (place == best.end() && best.size() >= keep_) return false;
  best.insert(place, checkpoint);
  if (best.size() > keep_) best.pop_back();
  if (keep_ > 1) save_parameters(file_of(checkpoint.step), weights);
  if (first) save_parameters(model_, weights);
  return first;
}

void BestCheckpoints::forget_others(std::span<const Checkpoint> best) const {
  std::set<fs::path> kept;
  for (const Checkpoint& checkpoint : best) kept.insert(file_of(checkpoint.step));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("step-") && name.ends_with(".safetensors") && !kept.contains(entry.path())) {
      fs::remove(entry.path());
    }
  }
}

void BestCheckpoints::average(std::span<const Checkpoint> best, ParameterSet& weights) const {
  std::vector<std::vector<double>> sums;
  for (const Parameter& weight : weights) sums.emplace_back(weight.value.span().size());
  for (const Checkpoint& checkpoint : best) {
    load_parameters(file_of(checkpoint.step), weights);
    for (const Parameter& weight : weights) {
      std::ranges::transform(sums[weight.index], weight.value.span(), sums[weight.index].begin(), std::plus<double>());
    }
  }
  for (Parameter& weight : weights) {
    std::ranges::transform(sums[weight.index], weight.value.data(),
                           [&](double sum) { return static_cast<Real>(sum / static_cast<double>(best.size())); });
  }
}

}  // namespace dhyan
