#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "autograd/parameter.h"
#include "core/progress.h"
#include "training/validation_metrics.h"

namespace dhyan {

// Weights of some moment that were kept because they did well.
struct Checkpoint {
  Index step = 0;
  double score = 0;  // held-out, of the metric that training goes by

  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

// Which weights are kept: part of the state of a training.
struct KeptCheckpoints {
  std::vector<Checkpoint> best;     // the best first
  std::vector<Index> last;          // steps of the last saves, the oldest first
  std::vector<NamedScore> records;  // the best value of each metric that has a file of its own
  std::optional<double> mean;       // score of the model where it is a mean of checkpoints, better than each

  friend bool operator==(const KeptCheckpoints&, const KeptCheckpoints&) = default;
};

struct CheckpointRules {
  std::string metric = "loss";  // that training goes by
  Index best = 1;               // so many are remembered, at least 1; of more than 1 the weights are kept
  Index last = 0;               // weights of so many saves are kept
  std::vector<std::string> record_metrics = {};  // the best weights by each of these are kept
};

// Weights as files in the folder of a model:
//   model.safetensors              the best
//   model-best-METRIC.safetensors  the best by another metric
//   training/step-N.safetensors    of the last few, and of the best few
// Whatever the moment a process dies at, the files that the saved state names are there: they are written before it
// names them and removed after it no longer does.
class Checkpoints {
 public:
  Checkpoints(std::filesystem::path folder, const CheckpointRules& rules);

  // After a validation: puts the weights in their places, if they have some. True if they are the best.
  bool add_validated(KeptCheckpoints& kept, Index step, std::span<const NamedScore> metrics,
                     const ParameterSet& weights) const;

  // Before a save.
  void add_last(KeptCheckpoints& kept, Index step, const ParameterSet& weights) const;

  // Removes the files of steps that are not kept.
  void forget_others(const KeptCheckpoints& kept) const;

  void save_model(const ParameterSet& weights) const;
  void load_model(ParameterSet& weights) const;

 private:
  bool add_best(KeptCheckpoints& kept, const Checkpoint& checkpoint, const ParameterSet& weights) const;
  void add_records(KeptCheckpoints& kept, std::span<const NamedScore> metrics, const ParameterSet& weights) const;

  std::filesystem::path folder_;
  CheckpointRules rules_;
};

std::filesystem::path model_file(const std::filesystem::path& folder);
std::filesystem::path state_folder(const std::filesystem::path& folder);
std::filesystem::path state_file(const std::filesystem::path& folder);
std::filesystem::path checkpoint_file(const std::filesystem::path& folder, Index step);
std::vector<std::filesystem::path> files_of_best(const std::filesystem::path& folder, const KeptCheckpoints& kept);
std::vector<std::filesystem::path> files_of_last(const std::filesystem::path& folder, const KeptCheckpoints& kept);

// The weights become the mean of those in the files. `poll` is called for every file, and may throw, to stop; the
// weights are those of some file then.
void load_mean(std::span<const std::filesystem::path> files, ParameterSet& weights,
               const std::function<void()>& poll = {}, ProgressSink* progress = nullptr);

}  // namespace dhyan
