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

// Saved weights with a good score.
struct Checkpoint {
  Index step = 0;
  double score = 0;  // on held-out data, by the metric of stop-on

  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

// Which weights are kept; part of the training state.
struct KeptCheckpoints {
  std::vector<Checkpoint> best;     // the best first
  std::vector<Index> last;          // steps of the last saves, the oldest first
  std::vector<NamedScore> records;  // the best value of each metric that has a file of its own
  std::optional<double> mean;       // score of the model if it is an average of checkpoints that beats each of them

  friend bool operator==(const KeptCheckpoints&, const KeptCheckpoints&) = default;
};

struct CheckpointRules {
  std::string metric = "loss";                   // of stop-on
  Index best = 1;                                // how many to remember, at least 1; above 1 their weights are kept
  Index last = 0;                                // how many recent saves to keep
  std::vector<std::string> record_metrics = {};  // keep the best weights by each of these
};

// Weights as files in the folder of a model:
//   model.safetensors              the best
//   model-best-METRIC.safetensors  the best by another metric
//   training/step-N.safetensors    the most recent and the best few
// Files are written before the saved state names them, and removed after a saved state that no longer names them, so
// all named files exist even if the process is killed.
class Checkpoints {
 public:
  // With kNothing no file is written or removed: another rank does that.
  enum class Writes { kFiles, kNothing };
  Checkpoints(std::filesystem::path folder, const CheckpointRules& rules, Writes writes = Writes::kFiles);

  // Call after a validation: saves the weights to the files above. Returns whether they are the best.
  bool add_validated(KeptCheckpoints& kept, Index step, std::span<const NamedScore> metrics,
                     const ParameterSet& weights) const;

  // Call before a save.
  void add_last(KeptCheckpoints& kept, Index step, const ParameterSet& weights) const;

  // Removes files of steps that are no longer kept.
  void forget_others(const KeptCheckpoints& kept) const;

  void save_model(const ParameterSet& weights) const;
  void load_model(ParameterSet& weights) const;

 private:
  bool add_best(KeptCheckpoints& kept, const Checkpoint& checkpoint, const ParameterSet& weights) const;
  void add_records(KeptCheckpoints& kept, std::span<const NamedScore> metrics, const ParameterSet& weights) const;

  void save(const std::filesystem::path& file, const ParameterSet& weights) const;

  std::filesystem::path folder_;
  CheckpointRules rules_;
  Writes writes_;
};

std::filesystem::path model_file(const std::filesystem::path& folder);
std::filesystem::path state_folder(const std::filesystem::path& folder);
std::filesystem::path state_file(const std::filesystem::path& folder);
std::filesystem::path checkpoint_file(const std::filesystem::path& folder, Index step);
std::vector<std::filesystem::path> files_of_best(const std::filesystem::path& folder, const KeptCheckpoints& kept);
std::vector<std::filesystem::path> files_of_last(const std::filesystem::path& folder, const KeptCheckpoints& kept);

// Sets the weights to the mean of those in the files. `poll` is called for every file and may throw to stop; the
// weights are then unspecified.
void load_mean(std::span<const std::filesystem::path> files, ParameterSet& weights,
               const std::function<void()>& poll = {}, ProgressSink* progress = nullptr);

}  // namespace dhyan
