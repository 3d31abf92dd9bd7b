#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "config/config.h"
#include "core/thread_pool.h"
#include "phrasebook/phrasebook.h"
#include "runs/run_observer.h"
#include "translator/test_set.h"

namespace dhyan::lab {

// The options that an experiment takes, beside seeds and threads.
struct LabInputs {
  bool data = false;        // --data and --test
  bool alignments = false;  // --alignments
  bool model = false;       // --model
};

struct LabOptions {
  std::filesystem::path folder = {};   // of the experiment
  std::vector<std::string> data = {};  // training pairs: two files, or one TSV or TMX; empty: built in
  std::vector<std::string> test = {};  // test pairs; needed with data
  std::string alignments = {};         // gold alignments of the test pairs; empty: none
  std::string model = {};              // preset; empty: the experiment's own
  int seeds = 0;                       // repetitions; 0: as many as the experiment says
  std::uint64_t seed = 1;              // the first
  int threads = 1;
  bool quick = false;               // less training, so that numbers are lower
  bool overwrite = false;           // discard results of other options
  std::string command = {};         // as the user typed it, for the report
  std::function<void()> poll = {};  // called often, from several threads at once; may throw to stop
  std::function<bool()> stop = {};  // whether poll() would throw
};

// A run of an experiment: its options and its measurements so far. Everything measured and every model is
// kept in the folder, so that a run that was stopped continues.
class LabRun {
 public:
  // UsageError if the folder has results of other options.
  LabRun(std::string_view experiment, const LabOptions& options, RunObserver& observer);

  const LabOptions& options() const { return options_; }
  RunObserver& observer() const { return observer_; }
  ThreadPool& pool() { return pool_; }
  void poll() const;

  std::vector<std::uint64_t> seeds() const;  // of the options

  // The numbers that `measure` gives, measured once: from then on they are read from the folder. The name is that of
  // a file.
  std::vector<double> measured(const std::string& name, const std::function<std::vector<double>()>& measure);

  // A model of this config, in models/NAME of the folder: trained, trained further if it was stopped, or as it is.
  // Gives its folder. If it is stopped now, everything is saved and poll() throws.
  std::filesystem::path trained(const std::string& name, const Config& config);

  // A preset on the run's data: the user's, or a built-in corpus. `settings` are YAML texts that change
  // the preset, the last ones last.
  Config config(std::string_view preset, std::uint64_t seed, const std::vector<std::string>& settings = {}) const;

  // The user's test pairs, or the test part of a built-in corpus.
  TestSet test_set(std::string_view phrasebook = "hi-en", Index max_words = kUsualWords) const;

  // Time spent on this run's measurements, in this process or before.
  double seconds() const { return seconds_; }

  // Where an experiment of its own keeps a file between runs.
  std::filesystem::path kept(const std::string& name) const { return options_.folder / "measured" / name; }

 private:
  LabOptions options_;
  RunObserver& observer_;
  ThreadPool pool_;
  double seconds_ = 0;
};

}  // namespace dhyan::lab
