#include "translator/average.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "core/error.h"

namespace dhyan::cli {

namespace {

constexpr int kMostCheckpoints = 1000;  // that --keep-last keeps

struct AverageOptions {
  std::vector<std::string> inputs;
  Index last = 0, best = 0;
  std::string folder;
};

void average(const AverageOptions& options, Output& output) {
  const std::vector<std::filesystem::path> files =
      checkpoints_of({{options.inputs.begin(), options.inputs.end()}, options.last, options.best});
  average_models(files, options.folder);
  output.write(cat("The mean of ", files.size(), " checkpoints is in ", options.folder, ".\n"));
}

Runner add_average_options(CLI::App& command) {
  const auto options = std::make_shared<AverageOptions>();
  command.add_option("checkpoints", options->inputs, "Files of weights, or folders of models")
      ->type_name("CHECKPOINT")
      ->required();
  command.add_option("--last", options->last, "Of one folder: the last N checkpoints that it kept (--keep-last)")
      ->type_name("N")
      ->check(CLI::Range(1, kMostCheckpoints));
  command.add_option("--best", options->best, "Of one folder: the best N (--average)")
      ->type_name("N")
      ->check(CLI::Range(1, kMostCheckpoints));
  command.add_option("-o,--output", options->folder, "Folder for the model")->type_name("FOLDER")->required();
  return [options](Output& output) { average(*options, output); };
}

}  // namespace

Command average_command() {
  return {"average",
          "Make a model whose weights are the mean of several checkpoints",
          {"dhyan average model --last 5 -o averaged",
           "dhyan average model/training/step-1000.safetensors model/training/step-2000.safetensors -o averaged",
           "dhyan average seed-1 seed-2 -o both"},
          add_average_options};
}

}  // namespace dhyan::cli
