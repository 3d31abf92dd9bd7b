#pragma once

#include <string>
#include <vector>

#include "core/precision.h"
#include "data/batch.h"
#include "models/model.h"
#include "training/optimizers.h"
#include "training/schedules.h"

namespace dhyan {

// What the loss of a step is the mean over; sentences give long ones more weight.
enum class LossNorm { kToken, kSentence };

// Which checkpoints to take the mean of.
enum class AverageOf { kBest, kLast };

// How a model is trained; what it is, and on what, is said elsewhere.
struct TrainingOptions {
  std::string optimizer = "adam";  // in the table of optimizers
  OptimizerOptions optimizer_settings = {};
  std::string schedule = "plateau";  // in the table of schedules
  ScheduleOptions schedule_settings = {};

  BatchLimits batch = {};
  Index accumulate = 1;  // batches whose gradients make one step
  Index workspace = 0;   // megabytes for forward and backward of all shards of a batch together; 0: any
  int shards = 4;        // a batch is cut into; fixes the result, where the number of threads does not
  Precision precision = Precision::kSplitBfloat16;  // of what is multiplied with weights
  LossOptions loss = {};
  LossNorm loss_norm = LossNorm::kToken;
  std::vector<std::string> freeze;  // patterns of the names of weights that stay as they are: see freeze.h
  double ema = 0;        // decay of the moving average of the weights that becomes the model; 0: the weights themselves
  double clip_norm = 1;  // gradients longer than this are scaled to it; 0: never
  std::uint64_t seed = 1;

  // Whichever comes first; 0: no such limit.
  Index max_epochs = 20;
  Index max_steps = 0;
  double max_minutes = 0;
  Index patience = 0;      // validations without a better stop_on
  Index max_skipped = 20;  // steps in a row whose gradients are no numbers

  std::string stop_on = "loss";  // in the table of validation metrics: by it the best is chosen, patience measured
  Index validate_steps = 0;      // validate every so many steps; 0: at the ends of epochs
  Index validate_epochs = 1;     // of every so many
  Index report_steps = 50;       // an interval of the log

  Index save_steps = 0;                // save every so many steps as well; 0: with validations only
  Index keep_last = 0;                 // weights of so many saves
  std::vector<std::string> keep_best;  // metrics: the best weights by each
  Index average = 0;                   // at the end, try the mean of so many checkpoints; 0 and 1: do not
  AverageOf average_of = AverageOf::kBest;
};

}  // namespace dhyan
