#include "runs/quantize.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "core/error.h"
#include "core/number_text.h"
#include "runs/readme.h"

namespace dhyan::cli {

namespace {

struct QuantizeOptions {
  std::string model, folder;
  bool overwrite = false;
};

void quantize(const QuantizeOptions& options, Output& output) {
  std::optional<ProgressBar> bar("quantizing");
  const QuantizedModel quantized =
      quantize_model(options.model, options.folder, options.overwrite ? Existing::kOverwrite : Existing::kRefuse,
                     throw_if_interrupted);
  bar.reset();
  for (const std::string& note : quantized.notes) std::cerr << note << '\n';
  const double part = static_cast<double>(quantized.bytes_after) / static_cast<double>(quantized.bytes_before);
  std::string text =
      cat("The model with 8-bit weights is in ", options.folder, ": ", grouped(quantized.bytes_after),
          " bytes instead of ", grouped(quantized.bytes_before), ", ", fixed(part, 2), " times as many. Next:\n");
  for (const std::string& command : what_to_type(quantized.config, options.folder)) text += cat("  ", command, '\n');
  output.write(text);
}

Runner add_quantize_options(CLI::App& command) {
  const auto options = std::make_shared<QuantizeOptions>();
  command.add_option("model", options->model, "Folder of the model")->type_name("FOLDER")->required();
  command.add_option("-o,--output", options->folder, "Output folder of the quantized model")
      ->type_name("FOLDER")
      ->required();
  command.add_flag("--overwrite", options->overwrite,
                   "Replace the model in the output folder, or write to a folder that holds other files");
  return [options](Output& output) { quantize(*options, output); };
}

}  // namespace

Command quantize_command() {
  return {"quantize",
          "Quantize a model to 8-bit weights: a quarter of the size and faster, but no longer trainable",
          {"dhyan quantize model -o model-int8", "dhyan quantize averaged -o model-int8 --overwrite"},
          add_quantize_options};
}

}  // namespace dhyan::cli
