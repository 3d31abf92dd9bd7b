#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "core/choice.h"
#include "core/error.h"
#include "core/number_text.h"
#include "importing/import_model.h"

namespace dhyan::cli {

namespace {

struct ImportArguments {
  std::string source, folder;
  ImportOptions options;
  bool list = false, int8 = false, overwrite = false;
};

std::string list_of_formats() {
  std::string text = "Formats that dhyan import reads:\n";
  for (const ImportFormat& format : import_formats()) {
    text += cat("  ", format.name, ": ", format.contents, "\n      ", format.features, '\n');
  }
  return text;
}

void run_import(const ImportArguments& arguments, Output& output) {
  if (arguments.list) return output.write(list_of_formats());
  if (arguments.source.empty()) throw UsageError("import: no SOURCE given: a folder, a package or a file");
  if (arguments.folder.empty()) throw UsageError("import: no output folder given; name it with -o");
  ImportOptions options = arguments.options;
  options.weights = arguments.int8 ? ImportedWeights::kInt8 : ImportedWeights::kFloat;
  options.existing = arguments.overwrite ? Existing::kOverwrite : Existing::kRefuse;
  options.poll = throw_if_interrupted;
  std::optional<ProgressBar> bar("importing");
  const ImportReport report = import_model(arguments.source, arguments.folder, options);
  bar.reset();
  for (const std::string& note : report.notes) std::cerr << note << '\n';
  std::string text = cat("The model (", report.origin, "; ", grouped(static_cast<std::uint64_t>(report.weights)),
                         " weights) is in ", arguments.folder, ". Next:\n");
  for (const std::string& command : report.commands) text += cat("  ", command, '\n');
  output.write(text);
}

Runner add_import_options(CLI::App& command) {
  const auto arguments = std::make_shared<ImportArguments>();
  command.add_option("source", arguments->source, "Folder, package or file of the model")->type_name("SOURCE");
  command.add_option("-o,--output", arguments->folder, "Output folder of the model")->type_name("FOLDER");
  command.add_option("--from", arguments->options.from, "Format of the source; by default it is recognised")
      ->type_name("FORMAT")
      ->check(CLI::IsMember(names_of(import_formats())));
  command.add_flag("--list", arguments->list, "Print the formats and exit");
  command.add_flag("--int8", arguments->int8,
                   "Keep weights that are int8: smaller and faster; the model cannot be exported");
  command
      .add_option("--source-pieces", arguments->options.files.source_pieces,
                  "SentencePiece model of the source, or codes of subword-nmt, if the folder has none")
      ->type_name("FILE");
  command.add_option("--target-pieces", arguments->options.files.target_pieces, "The same of the target")
      ->type_name("FILE");
  command
      .add_option("--source-vocabulary", arguments->options.files.source_vocabulary,
                  "Vocabulary of the source (Marian's .yml or .spm, fairseq's dict.txt), if the folder has none")
      ->type_name("FILE");
  command.add_option("--target-vocabulary", arguments->options.files.target_vocabulary, "Vocabulary of the target")
      ->type_name("FILE");
  command.add_flag("--overwrite", arguments->overwrite,
                   "Replace the model in the output folder, or write to a folder that holds other files");
  return [arguments](Output& output) { run_import(*arguments, output); };
}

}  // namespace

Command import_command() {
  return {"import",
          "Import a model of another toolkit",
          {"dhyan import translate-zh_en-1_9.argosmodel -o zh-en", "dhyan import opus-mt-zh-en-ct2 -o zh-en --int8",
           "dhyan import --list"},
          add_import_options};
}

}  // namespace dhyan::cli
