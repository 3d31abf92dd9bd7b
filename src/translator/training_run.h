#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/progress.h"
#include "training/trainer.h"
#include "translator/corpora.h"
#include "translator/model_folder.h"
#include "translator/training_log.h"

namespace dhyan {

// Told of all that happens between two text files and a model.
class RunObserver : public TrainingObserver {
 public:
  virtual void on_note(const std::string& /*text*/) {}  // a line about what was found or decided

  // For work that may take long; it lives as long as the work. Null: not interested.
  virtual std::unique_ptr<ProgressSink> progress(std::string_view /*what*/) { return nullptr; }
};

enum class Existing { kRefuse, kOverwrite, kResume };

struct RunOptions {
  std::filesystem::path folder;           // of the model
  Existing existing = Existing::kRefuse;  // what to do with a model that is there
  int threads = 1;
  std::function<void()> poll = {};  // called while data is read; may throw, to stop
};

struct CorpusFacts {
  std::string name;
  double weight = 1;
  CacheCounts counts;
};

// What a run found out, for its README and for the user.
struct RunFacts {
  std::vector<CorpusFacts> train, valid;
  Index source_vocabulary = 0, target_vocabulary = 0;
  Index weights = 0;
  std::vector<NamedScore> held_out;  // of the weights that are kept
};

// The whole way from corpora to a model's folder.
class TrainingRun {
 public:
  // Reads and tokenises all data, learns tokenizers, builds the model: whatever is wrong with config or data is found
  // here, before training starts.
  TrainingRun(const Config& config, const RunOptions& options, RunObserver& observer);

  // Trains, and leaves a complete folder whatever the reason for its end.
  Ended run(const std::function<bool()>& stop);

  const Config& config() const { return config_; }
  const std::filesystem::path& folder() const { return options_.folder; }
  const RunFacts& facts() const { return facts_; }
  const TrainingState& state() const { return trainer_->state(); }

 private:
  class Tee;

  bool resumed() const { return options_.existing == Existing::kResume; }
  BatchStream stream(std::vector<TrainingCorpus> corpora) const;
  void prepare(std::span<const CorpusInput> train, std::span<const CorpusInput> valid,
               const std::filesystem::path& caches);
  TokenizerPair prepare_tokenizers(std::span<const CorpusInput> corpora);
  std::vector<TrainingCorpus> tokenise(std::span<const CorpusInput> corpora, const std::filesystem::path& cache,
                                       std::vector<CorpusFacts>& facts);
  void prepare_batches(std::vector<TrainingCorpus> train, std::vector<TrainingCorpus> valid);
  void prepare_trainer();
  void note(const std::string& text);

  Config config_;
  Material material_;
  RunOptions options_;
  RunObserver& observer_;
  RunFacts facts_;
  ThreadPool pool_;
  std::unique_ptr<TrainingLog> log_;      // once the folder is ours
  std::vector<std::string> early_notes_;  // before
  TokenizerPair tokenizers_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<BatchStream> batches_;
  std::vector<Batch> validation_;
  std::unique_ptr<Trainer> trainer_;
};

}  // namespace dhyan
