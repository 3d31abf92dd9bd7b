#pragma once

#include <string>
#include <vector>

#include "lab/findings.h"
#include "lab/lab_run.h"

namespace dhyan::lab {

struct LengthSize {
  std::vector<Index> trained_up_to = {30, 50};           // words of a training sentence
  std::vector<Index> bounds = {10, 20, 30, 40, 50, 60};  // of the lengths at which BLEU is measured
  std::string without = "seq2seq", with = "rnnsearch";   // presets; --model replaces the second
  std::vector<std::string> settings_without = {
      "hidden: 512\nembedding: 256\nreadout-hidden: 256\nprecision: bfloat16\nlearning-rate: 2e-3\nwarmup-steps: 200\n"
      "max-epochs: 1000\nmax-steps: 4200\ntotal-steps: 4200\nvalidate-epochs: 6\nvalidate-samples: 0\n"};
  std::vector<std::string> settings_with = {
      "max-epochs: 1000\nmax-steps: 1400\ntotal-steps: 1400\nvalidate-samples: 0\n"};
};

// [bahdanau2015], figure 2: BLEU by source length, with and without attention, for models that were trained on
// sentences up to different lengths.
Findings run_length(LabRun& run, const LengthSize& size);

}  // namespace dhyan::lab
