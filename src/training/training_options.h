#pragma once

#include <string>
#include <vector>

#include "core/precision.h"
#include "data/batch.h"
#include "models/model.h"
#include "training/optimizers.h"
#include "training/schedules.h"

namespace dhyan {

// The loss of a step is the mean over these; per sentence, long sentences weigh more.
enum class LossNorm { kToken, kSentence };

// Which checkpoints to average.
enum class AverageOf { kBest, kLast };

// How a model is trained; model and data have their own configs.
struct TrainingOptions {
  std::string optimizer = "adam";  // in the table of optimizers
  OptimizerOptions optimizer_settings = {};
  std::string schedule = "plateau";  // in the table of schedules
  ScheduleOptions schedule_settings = {};

  BatchLimits batch = {};
  Index accumulate = 1;  // batches whose gradients make one step
  Index workspace = 0;   // megabytes for forward and backward of all shards of a batch together; 0: any
  int shards = 4;        // of a batch; the result depends on it, not on the number of threads
  Precision precision = Precision::kSplitBfloat16;  // of the operands of GEMMs with weights
  LossOptions loss = {};
  LossNorm loss_norm = LossNorm::kToken;
  std::vector<std::string> freeze;  // patterns of weights to keep unchanged: see freeze.h
  double ema = 0;        // decay of the moving average of the weights that becomes the model; 0: the weights themselves
  double clip_norm = 1;  // largest norm of the gradients; 0: no clipping
  std::uint64_t seed = 1;

  // Training stops at the first limit reached; 0: no limit.
  Index max_epochs = 20;
  Index max_steps = 0;
  double max_minutes = 0;
  Index patience = 0;      // validations without a better stop_on
  Index max_skipped = 20;  // steps in a row with NaN or infinite gradients

  std::string stop_on = "loss";  // in the table of validation metrics: chooses the best weights and drives patience
  Index validate_steps = 0;      // steps between validations; 0: at the end of epochs
  Index validate_epochs = 1;     // epochs between validations
  Index report_steps = 50;       // steps between log lines

  Index save_steps = 0;                // steps between saves; 0: only after validations
  Index keep_last = 0;                 // number of recent saves to keep
  std::vector<std::string> keep_best;  // metrics: keep the best weights by each
  Index average = 0;                   // checkpoints to average at the end; 0 and 1: none
  AverageOf average_of = AverageOf::kBest;
};

}  // namespace dhyan
