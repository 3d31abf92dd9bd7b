#include "runs/report.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "core/error.h"
#include "core/file.h"

namespace dhyan::cli {

namespace {

struct ReportOptions {
  std::string folder;
  std::string output;
};

Runner add_report_options(CLI::App& command) {
  const auto options = std::make_shared<ReportOptions>();
  command.add_option("model", options->folder, "Folder of a model, whose training may still be running")
      ->type_name("FOLDER")
      ->required();
  command.add_option("-o,--output", options->output, "Output file; - is standard output")
      ->type_name("FILE")
      ->default_str("FOLDER/report.html");
  return [options](Output& output) {
    const std::string page = training_report(options->folder);
    if (options->output == "-") return output.write(page);
    const std::filesystem::path path = options->output.empty() ? std::filesystem::path(options->folder) / "report.html"
                                                               : std::filesystem::path(options->output);
    write_file(path, page);
    output.write(cat(path.string(), '\n'));
  };
}

}  // namespace

Command report_command() {
  return {"report",
          "Write an HTML report of a training: curves, scores, attention, options",
          {"dhyan report model", "dhyan report model -o report.html"},
          add_report_options};
}

}  // namespace dhyan::cli
