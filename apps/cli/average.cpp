#include "runs/average.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "core/error.h"

namespace dhyan::cli {

namespace {

constexpr int kMostCheckpoints = 1000;  // that --keep-last keeps

struct AverageOptions {
  std::vector<std::string> inputs;
  Index last = 0, best = 0;
  std::string folder;
  bool overwrite = false;
};

void average(const AverageOptions& options, Output& output) {
  const std::vector<std::filesystem::path> files =
      checkpoints_of({{options.inputs.begin(), options.inputs.end()}, options.last, options.best});
  const Existing existing = options.overwrite ? Existing::kOverwrite : Existing::kRefuse;
  std::vector<std::string> notes;
  {
    ProgressBar bar("averaging");
    notes = average_models(files, options.folder, {existing, throw_if_interrupted, &bar});
  }
  for (const std::string& note : notes) std::cerr << note << '\n';
  output.write(cat("The mean of ", files.size(), " checkpoints is in ", options.folder, ".\n"));
}

Runner add_average_options(CLI::App& command) {
  const auto options = std::make_shared<AverageOptions>();
  command.add_option("checkpoints", options->inputs, "Weight files (.safetensors), or folders of models")
      ->type_name("CHECKPOINT")
      ->required();
  command.add_option("--last", options->last, "Average the last N checkpoints of one folder (train --keep-last)")
      ->type_name("N")
      ->check(CLI::Range(1, kMostCheckpoints));
  command.add_option("--best", options->best, "Average the best N checkpoints of one folder (train --average)")
      ->type_name("N")
      ->check(CLI::Range(1, kMostCheckpoints));
  command.add_option("-o,--output", options->folder, "Output folder of the model")->type_name("FOLDER")->required();
  command.add_flag("--overwrite", options->overwrite,
                   "Replace the model in the output folder, or write to a folder that holds other files");
  return [options](Output& output) { average(*options, output); };
}

}  // namespace

Command average_command() {
  return {"average",
          "Average the weights of several checkpoints into one model",
          {"dhyan average model --last 5 -o averaged",
           "dhyan average model/training/step-1000.safetensors model/training/step-2000.safetensors -o averaged",
           "dhyan average seed-1 seed-2 -o both"},
          add_average_options};
}

}  // namespace dhyan::cli
