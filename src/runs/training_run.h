#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runs/folder_lock.h"
#include "runs/rank_training.h"
#include "runs/run_folder.h"
#include "runs/training_data.h"
#include "runs/training_log.h"
#include "runs/validator.h"
#include "training/trainer.h"
#include "translator/model_folder.h"

namespace dhyan {

struct RunOptions {
  std::filesystem::path folder;           // of the model
  Existing existing = Existing::kRefuse;  // what to do with an existing model
  int threads = 1;
  // Called often, from several threads at once; may throw to stop. Before training starts, the exception leaves the
  // constructor and the folder is unchanged; later it ends run(), as stop() does.
  std::function<void()> poll = {};
  // Null: this process alone. Otherwise all ranks make a TrainingRun with the same config and options. Rank 0 reads the
  // data, writes the folder and tells the observer; the others get what they need from it.
  const Ranks* ranks = nullptr;
};

// Facts about a run, for its README and for the user.
struct RunFacts {
  std::vector<CorpusFacts> train, valid;
  Index source_vocabulary = 0, target_vocabulary = 0;
  Index weights = 0;
  std::vector<NamedScore> held_out;  // of the kept weights
};

// Trains a model from corpora into a folder.
class TrainingRun {
 public:
  // Reads and tokenises all data, learns tokenizers and builds the model, so that all errors of config and data are
  // found before training starts.
  TrainingRun(const Config& config, const RunOptions& options, RunObserver& observer);
  ~TrainingRun();

  // Trains, and leaves a complete folder however it ends. Calls stop() after each step; poll() of the options can stop
  // earlier.
  Ended run(const std::function<bool()>& stop);

  const Config& config() const { return config_; }
  const std::filesystem::path& folder() const { return options_.folder; }
  const RunFacts& facts() const { return facts_; }
  const TrainingState& state() const { return trainer_->state(); }

 private:
  class Tee;  // forwards events to the user and to the log

  bool resumed() const { return options_.existing == Existing::kResume; }
  void poll() const;
  void choose_tokenizers(const std::filesystem::path& folder, std::span<const CorpusInput> train);
  void take_folder();
  bool leads() const { return options_.ranks == nullptr || options_.ranks->communicator.first(); }
  void lead();
  void follow();
  void agree_on_data();
  void warn_of_swapped(std::span<const CorpusInput> train, std::span<const CorpusInput> valid);
  void do_without_held_out();
  void prepare(const TrainingSources& sources);
  void take_weights();
  void freeze_weights();
  void prepare_trainer();

  std::unique_ptr<FolderLock> lock_;  // first: held until all is written
  Config config_;
  RunOptions options_;
  RunFacts facts_;
  std::unique_ptr<RankFolder> own_files_;  // of a rank other than 0
  ThreadPool pool_;
  std::unique_ptr<Tee> tee_;
  std::unique_ptr<TrainingData> data_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Validator> validator_;  // null: no held-out data
  std::unique_ptr<Trainer> trainer_;
  bool training_ = false;  // there is a state to save
};

}  // namespace dhyan
