#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "core/choice.h"
#include "core/error.h"
#include "importing/export_model.h"

namespace dhyan::cli {

namespace {

struct ExportArguments {
  std::string model, folder, to;
};

Runner add_export_options(CLI::App& command) {
  const auto arguments = std::make_shared<ExportArguments>();
  std::string formats;
  for (const ExportFormat& format : export_formats()) {
    formats += cat(formats.empty() ? "" : "; ", format.name, ", a ", format.features);
  }
  command.add_option("model", arguments->model, "Folder of the model")->type_name("FOLDER")->required();
  command.add_option("--to", arguments->to, cat("Format: ", formats))
      ->type_name("FORMAT")
      ->required()
      ->check(CLI::IsMember(names_of(export_formats())));
  command.add_option("-o,--output", arguments->folder, "New folder")->type_name("FOLDER")->required();
  return [arguments](Output& output) {
    export_model(arguments->model, arguments->folder, arguments->to, throw_if_interrupted);
    output.write(cat("The model is in ", arguments->folder, " for ", arguments->to, ".\n"));
  };
}

}  // namespace

Command export_command() {
  return {"export",
          "Export a Transformer to another toolkit",
          {"dhyan export model --to ctranslate2 -o model-ct2", "dhyan export model --to huggingface -o model-hf"},
          add_export_options};
}

}  // namespace dhyan::cli
