#pragma once

#include <string>

#include "data/batch.h"
#include "models/model.h"
#include "training/optimizers.h"
#include "training/schedules.h"

namespace dhyan {

// How a model is trained; what it is, and on what, is said elsewhere.
struct TrainingOptions {
  std::string optimizer = "adam";  // in the table of optimizers
  OptimizerOptions optimizer_settings = {};
  std::string schedule = "plateau";  // in the table of schedules
  ScheduleOptions schedule_settings = {};

  BatchLimits batch = {};
  int shards = 4;  // a batch is cut into; fixes the result, where the number of threads does not
  LossOptions loss = {};
  double ema = 0;        // decay of the moving average of the weights that becomes the model; 0: the weights themselves
  double clip_norm = 1;  // gradients longer than this are scaled to it; 0: never
  std::uint64_t seed = 1;

  // Whichever comes first; 0: no such limit.
  Index max_epochs = 20;
  Index max_steps = 0;
  double max_minutes = 0;
  Index patience = 0;  // validations without a better held-out loss

  Index validate_steps = 0;  // validate every so many steps; 0: at the end of every epoch
  Index report_steps = 50;   // an interval of the log
  Index average = 0;         // at the end, try the mean of so many of the best checkpoints; 0 and 1: do not
};

}  // namespace dhyan
