#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "core/error.h"
#include "runs/merge_adapters.h"

namespace dhyan::cli {

namespace {

struct MergeOptions {
  std::string model, folder;
  bool overwrite = false;
};

void merge(const MergeOptions& options, Output& output) {
  std::vector<std::string> notes;
  {
    ProgressBar bar("merging");
    notes = merge_adapters(options.model, options.folder, options.overwrite ? Existing::kOverwrite : Existing::kRefuse,
                           throw_if_interrupted);
  }
  for (const std::string& note : notes) std::cerr << note << '\n';
  output.write(cat("The model with merged adapters is in ", options.folder, ".\n"));
}

Runner add_merge_options(CLI::App& command) {
  const auto options = std::make_shared<MergeOptions>();
  command.add_option("model", options->model, "Folder of a model that was trained with --adapter-rank")
      ->type_name("FOLDER")
      ->required();
  command.add_option("-o,--output", options->folder, "Output folder of the merged model")
      ->type_name("FOLDER")
      ->required();
  command.add_flag("--overwrite", options->overwrite,
                   "Replace the model in the output folder, or write to a folder that holds other files");
  return [options](Output& output) { merge(*options, output); };
}

}  // namespace

Command merge_command() {
  return {"merge",
          "Merge the LoRA adapters of a model into its weights",
          {"dhyan merge tuned -o merged", "dhyan merge tuned -o merged --overwrite"},
          add_merge_options};
}

}  // namespace dhyan::cli
