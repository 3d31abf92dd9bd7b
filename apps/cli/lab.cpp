#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/search_options.h"
#include "cli/training_display.h"
#include "config/presets.h"
#include "core/error.h"
#include "core/file.h"
#include "core/number_text.h"
#include "core/pluralize.h"
#include "lab/experiment.h"
#include "lab/lab_report.h"

namespace dhyan::cli {

namespace {

std::string experiment_list() {
  std::string text;
  for (const lab::Experiment& one : lab::experiments()) {
    text += cat(one.name, "\n    claim:   ", one.claim, "\n    paper:   ", one.paper, "\n    data:    ", one.data,
                "\n    minutes: about ", number_text(one.minutes), " on two cores, ",
                pluralize(static_cast<std::uint64_t>(one.seeds), "seed"), '\n');
  }
  return text + "Run one with 'dhyan lab run NAME'; 'dhyan lab report' makes a page of all results.\n";
}

struct LabArguments {
  std::string name;
  std::string folder = "lab";
  lab::LabOptions options;
};

std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// The command that repeats the run: its experiment and the options that change what is measured.
std::string command_of(const LabArguments& arguments) {
  const lab::LabOptions& options = arguments.options;
  std::string text = cat("dhyan lab run ", arguments.name);
  const auto add = [&](const char* flag, const std::vector<std::string>& values) {
    if (values.empty() || values.front().empty()) return;
    text += cat(' ', flag);
    for (const std::string& value : values) text += cat(' ', quoted(value));
  };
  add("--data", options.data);
  add("--test", options.test);
  add("--alignments", {options.alignments});
  add("--model", {options.model});
  if (options.seed != 1) add("--seed", {std::to_string(options.seed)});
  if (options.seeds != 0) add("--seeds", {std::to_string(options.seeds)});
  return options.quick ? text + " --quick" : text;
}

void run(const LabArguments& arguments, Output& output) {
  const lab::Experiment& experiment = lab::experiment_named(arguments.name);
  lab::LabOptions options = arguments.options;
  options.folder = std::filesystem::path(arguments.folder) / arguments.name;
  options.command = command_of(arguments);
  options.poll = throw_if_interrupted;
  options.stop = interrupted;
  if (!options.model.empty()) preset(options.model);
  TrainingDisplay display(0);
  lab::LabResult result;
  try {
    result = lab::run_experiment(experiment, options, display);
  } catch (const Interrupted&) {
    display.on_note(
        cat("stopped; all that was measured is in ", options.folder.string(), ". The same command continues."));
    throw;
  }
  display.clear();
  for (const lab::LabResult::Figure& figure : result.figures) {
    if (!figure.text.empty()) output.write(figure.text + '\n');
  }
  for (const lab::LabResult::Figure& figure : result.figures) {
    output.write(cat((options.folder / (figure.name + ".svg")).string(), '\n'));
  }
  output.write(cat((options.folder / lab::kResultFile).string(), "\n\n", sentence_of(result), '\n'));
}

Runner add_run_options(CLI::App& command) {
  const auto arguments = std::make_shared<LabArguments>();
  lab::LabOptions& options = arguments->options;
  command.add_option("name", arguments->name, "Experiment; 'dhyan lab' lists them")->type_name("NAME")->required();
  command.add_option("-o,--output", arguments->folder, "Folder for results, in a subfolder of the experiment's name")
      ->type_name("DIR")
      ->capture_default_str();
  command
      .add_option("--data", options.data,
                  "Pairs to train on instead of the built-in corpus: two files, or one TSV or TMX")
      ->type_name("FILE")
      ->expected(1, 2);
  command.add_option("--test", options.test, "Pairs to measure on; needed with --data")
      ->type_name("FILE")
      ->expected(1, 2);
  command.add_option("--alignments", options.alignments, "Gold alignments of the test pairs, in Pharaoh's format")
      ->type_name("FILE");
  command.add_option("--model", options.model, "Preset of the models, instead of the experiment's own")
      ->type_name("PRESET");
  command.add_option("--seeds", options.seeds, "Repetitions with different seeds; results are means with their spread")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->default_str("as the list says");
  command.add_option("--seed", options.seed, "The first seed")->type_name("N")->capture_default_str();
  add_threads_option(command, options.threads);
  command.add_flag("--quick", options.quick, "A first look in a fifth of the time: less training, fewer models");
  command.add_flag("--overwrite", options.overwrite, "Discard results of other options in the folder");
  return [arguments](Output& output) { run(*arguments, output); };
}

Runner add_page_options(CLI::App& command) {
  struct PageOptions {
    std::string folder = "lab", output;
  };
  const auto options = std::make_shared<PageOptions>();
  command.add_option("folder", options->folder, "Folder that 'dhyan lab run' wrote to")
      ->type_name("DIR")
      ->capture_default_str();
  command.add_option("-o,--output", options->output, "Output file; - is standard output")
      ->type_name("FILE")
      ->default_str("DIR/report.html");
  return [options](Output& output) {
    const std::string page = lab::lab_report(options->folder);
    if (options->output == "-") return output.write(page);
    const std::filesystem::path path = options->output.empty() ? std::filesystem::path(options->folder) / "report.html"
                                                               : std::filesystem::path(options->output);
    write_file(path, page);
    output.write(cat(path.string(), '\n'));
  };
}

Runner add_lab_options(CLI::App& command) {
  const Runner chosen =
      add_commands(command, {{"run",
                              "Run an experiment: train, measure, draw; a run that was stopped continues",
                              {"dhyan lab run gradients", "dhyan lab run gradients --seeds 3 -o results/"},
                              add_run_options},
                             {"report",
                              "Write a page with the results of all experiments in a folder",
                              {"dhyan lab report", "dhyan lab report results/ -o claims.html"},
                              add_page_options}});
  return [&command, chosen](Output& output) {
    if (command.get_subcommands().empty()) return output.write(experiment_list());
    chosen(output);
  };
}

}  // namespace

Command lab_command() {
  return {"lab",
          "Experiments that show what attention does: list, run, report",
          {"dhyan lab", "dhyan lab run gradients", "dhyan lab report"},
          add_lab_options};
}

}  // namespace dhyan::cli
