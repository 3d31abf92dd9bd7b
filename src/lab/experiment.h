#pragma once

#include <span>
#include <string_view>

#include "lab/findings.h"
#include "lab/lab_run.h"
#include "lab/result_files.h"

namespace dhyan::lab {

// An experiment about attention. A new one is a file and a line of the table in experiments.cpp; command line, report
// and tests iterate the table.
struct Experiment {
  std::string_view name;
  std::string_view claim;  // a sentence without its full stop
  std::string_view paper;  // a key of docs/refs.bib
  std::string_view data;   // the corpus without --data
  double minutes;          // about, on two cores
  int seeds;               // by default
  LabInputs inputs;        // which options it takes
  Findings (*run)(LabRun& run);
};

std::span<const Experiment> experiments();

// By name; UsageError that suggests the nearest name if there is none such.
const Experiment& experiment_named(std::string_view name);

// Runs an experiment into a folder, and writes its result there. UsageError for options that it does not take.
LabResult run_experiment(const Experiment& experiment, LabOptions options, RunObserver& observer);

}  // namespace dhyan::lab
