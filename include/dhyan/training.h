#pragma once

#include <cstdint>
#include <dhyan/error.h>
#include <dhyan/options.h>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dhyan::v1 {

struct NamedValue {
  std::string name;
  double value = 0;
};

// The progress of training.
struct TrainingReport {
  enum class Kind {
    kNote,        // `text` says what is done
    kSteps,       // the mean of the steps since the last report
    kValidation,  // `values` on held-out data: loss, perplexity, then the metrics asked for
    kSaved,       // the state of the training is on disk
  };
  Kind kind = Kind::kSteps;
  std::int64_t step = 0;
  double epochs = 0;   // passes over the data
  double done = 0;     // fraction of the training; 0: there is no limit
  double seconds = 0;  // so far
  double loss = 0;     // -log p of a target token
  double learning_rate = 0;
  double tokens_per_second = 0;
  bool best = false;  // so far, of a validation
  std::vector<NamedValue> values = {};
  std::string text = {};
};

// What becomes of a model in the folder.
enum class ExistingModel { kRefuse, kOverwrite, kResume };

struct TrainOptions {
  std::filesystem::path folder = {};  // of the model
  ExistingModel existing = ExistingModel::kRefuse;
  std::string preset = {};                 // as `dhyan train --list-presets` names them; empty: rnnsearch
  std::vector<std::string> train = {};     // pairs of parallel files, TSV or TMX; empty: the built-in phrasebook
  std::vector<std::string> valid = {};     // held-out data, likewise
  std::vector<Setting> more = {};          // any option of `dhyan train --help-all`: {"hidden", {"256"}}
  std::vector<ScoreFunction> scores = {};  // own score functions; {"score", {"name"}} in `more` takes one
  int threads = 0;                         // 0: as many as the machine runs at once; they do not change the result
  // Called on the thread that trains. False ends the training; all is saved then.
  std::function<bool(const TrainingReport&)> report = {};
  Poll poll = {};  // what it throws ends the training, too; all is saved, and the exception leaves the call
};

struct TrainingResult {
  std::int64_t steps = 0;
  std::string ended;                      // "max-epochs", "patience", "report", ...
  std::vector<NamedValue> held_out = {};  // of the weights that were kept
};

// Trains a model into a folder, which then holds a whole model however the training ended. ConfigError or UsageError
// for an impossible setting, DataError for text that cannot be used, before the folder changes. Error if the
// gradients become NaN or infinite and stay so.
DHYAN_EXPORT TrainingResult train(const TrainOptions& options);

}  // namespace dhyan::v1
