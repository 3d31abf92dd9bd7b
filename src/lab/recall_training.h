#pragma once

#include <filesystem>

#include "lab/lab_run.h"
#include "lab/recall.h"

namespace dhyan::lab {

struct RecallTraining {
  Index longest = 100;  // symbols of a sentence
  Index steps = 2000;
  Index batch = 32;  // sentences
  double learning_rate = 3e-3;
  std::uint64_t seed = 1;
};

// Trains a network on the task with Adam. When the run is stopped, the state is kept in `state`, from which the next
// call continues with the same bytes; it is removed at the end.
void train_recall(LabRun& run, const RecallTask& task, RecallNetwork& network, const RecallTraining& training,
                  const std::filesystem::path& state);

// The share of sentences that it answers rightly. On a thread that is prepared for kernels.
double recalled(const RecallNetwork& network, const RecallBatch& batch);

}  // namespace dhyan::lab
