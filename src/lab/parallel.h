#pragma once

#include <vector>

#include "lab/findings.h"
#include "lab/lab_run.h"
#include "models/model.h"

namespace dhyan::lab {

struct ParallelSize {
  std::vector<Index> lengths = {5, 10, 20, 50, 100, 200, 500};  // of source and target, in tokens
  Index hidden = 128;
  Index vocabulary = 1000;
  double seconds = 0.4;  // least time of one measurement
};

// [vaswani2017], table 1: the longest chain of operations of which each needs the one before, counted on the graph of a
// forward pass, and the time of a token, for models of equal width and sentences of growing length.
Findings run_parallel(LabRun& run, const ParallelSize& size);

// The models that are compared, with random weights.
struct ParallelModel {
  std::string name;
  std::unique_ptr<TranslationModel> model;
};
std::vector<ParallelModel> parallel_models(const ParallelSize& size);

// The longest chain of operations in the loss of one sentence pair.
Index longest_chain(const TranslationModel& model, const ParallelSize& size, Index length);

}  // namespace dhyan::lab
