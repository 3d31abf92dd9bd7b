#include "translator/quantize.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "core/error.h"
#include "core/number_text.h"
#include "translator/readme.h"

namespace dhyan::cli {

namespace {

struct QuantizeOptions {
  std::string model, folder;
  bool overwrite = false;
};

void quantize(const QuantizeOptions& options, Output& output) {
  const QuantizedModel quantized =
      quantize_model(options.model, options.folder, options.overwrite ? Existing::kOverwrite : Existing::kRefuse);
  const double part = static_cast<double>(quantized.bytes_after) / static_cast<double>(quantized.bytes_before);
  std::string text =
      cat("The model with weights of 8 bits is in ", options.folder, ": ", grouped(quantized.bytes_after),
          " bytes instead of ", grouped(quantized.bytes_before), ", ", fixed(part, 2), " times as many. Next:\n");
  for (const std::string& command : what_to_type(quantized.config, options.folder)) text += cat("  ", command, '\n');
  output.write(text);
}

Runner add_quantize_options(CLI::App& command) {
  const auto options = std::make_shared<QuantizeOptions>();
  command.add_option("model", options->model, "Folder of the model")->type_name("FOLDER")->required();
  command.add_option("-o,--output", options->folder, "Folder for the model with weights of 8 bits")
      ->type_name("FOLDER")
      ->required();
  command.add_flag("--overwrite", options->overwrite, "Replace the model in that folder");
  return [options](Output& output) { quantize(*options, output); };
}

}  // namespace

Command quantize_command() {
  return {"quantize",
          "Make a model with weights of 8 bits: a quarter of the size, quicker, for use alone",
          {"dhyan quantize model -o model-int8", "dhyan quantize averaged -o model-int8 --overwrite"},
          add_quantize_options};
}

}  // namespace dhyan::cli
