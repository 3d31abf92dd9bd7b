#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>

#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/ranks.h"
#include "cli/training_display.h"
#include "config/model_kinds.h"
#include "config/option_kinds.h"
#include "config/options.h"
#include "config/presets.h"
#include "core/choice.h"
#include "core/error.h"
#include "core/pluralize.h"
#include "distributed/message_bytes.h"
#include "runs/readme.h"
#include "runs/run_config.h"

namespace dhyan::cli {

namespace {

constexpr std::array kWires{Choice{"float32", GradientWire::kReal}, Choice{"bfloat16", GradientWire::kBfloat16}};

struct TrainOptions {
  std::string preset;
  std::vector<std::string> files;  // YAML files
  std::string folder = "model";
  bool overwrite = false;
  bool resume = false;
  bool list_presets = false;
  bool dump_config = false;
  int threads = usual_threads();
  RankOptions ranks;
  GradientWire wire = GradientWire::kReal;
  std::vector<Setting> flags;  // in the order they were given
};

std::vector<Setting> given(const TrainOptions& options) {
  std::vector<Setting> settings;
  for (const std::string& file : options.files) std::ranges::move(read_yaml(file), std::back_inserter(settings));
  settings.insert(settings.end(), options.flags.begin(), options.flags.end());
  return settings;
}

std::string preset_list() {
  std::string text;
  for (const PresetText& preset : preset_texts()) text += cat(preset.name, "\n    ", summary(preset), '\n');
  return text;
}

const char* why(Ended ended) {
  switch (ended) {
    case Ended::kEpochs:
      return "max-epochs reached";
    case Ended::kSteps:
      return "max-steps reached";
    case Ended::kMinutes:
      return "max-minutes reached";
    case Ended::kPatience:
      return "no improvement on held-out data within patience";
    case Ended::kSchedule:
      return "the learning rate is 0 at the end of the schedule (total-steps)";
    case Ended::kNotFinite:
    case Ended::kOnRequest:
      break;
  }
  return "stopped";
}

std::string what_next(const TrainingRun& run, Ended ended) {
  const std::string folder = run.folder().string();
  std::string text =
      cat("trained: ", why(ended), " after ", pluralize(static_cast<std::uint64_t>(run.state().step), "step"));
  for (const NamedScore& metric : run.facts().held_out) text += cat(", held-out ", metric.name, " ", metric.value);
  text += cat("\nThe model is in ", folder, ". Next:\n");
  for (const std::string& command : what_to_type(run.config(), folder)) text += cat("  ", command, '\n');
  return text;
}

std::string halted(const TrainingRun& run) {
  return cat("the gradients of ", pluralize(static_cast<std::uint64_t>(run.state().skipped_in_a_row), "step"),
             " in a row, up to step ", run.state().step,
             ", are NaN or infinite: a smaller learning-rate, more warmup-steps or a smaller clip-norm may help. The "
             "last saved state is in ",
             run.folder().string(), "; dhyan train --init-from ", run.folder().string(),
             " --learning-rate RATE -o FOLDER starts from it at another rate, which --resume cannot change");
}

// What the user asked for, in one line.
std::string request(const TrainOptions& options) {
  std::string text = cat(options.preset, options.resume ? " --resume" : "", options.overwrite ? " --overwrite" : "",
                         options.wire == GradientWire::kBfloat16 ? " --gradient-wire bfloat16" : "");
  for (const Setting& setting : given(options)) {
    text += cat(" --", setting.name);
    for (const std::string& value : setting.values) text += cat(" ", value);
  }
  return text;
}

// Where the threads of ranks do not fit the cores or the shards, training is slower than it need be.
void advise_on_ranks(const Config& config, const TrainOptions& options, Communicator& ranks, RunObserver& observer) {
  MessageWriter own;
  own.number(static_cast<std::int32_t>(options.threads));
  int threads = 0;
  for (const Bytes& of_rank : ranks.all_gather(own.take())) threads += MessageReader(of_rank).number<std::int32_t>();
  observer.on_note(
      cat("ranks: ", ranks.size(), ", with ", pluralize(static_cast<std::uint64_t>(threads), "thread"), " together"));
  const int shards = config.training.shards;
  if (threads > shards) {
    observer.on_note(cat("warning: a batch has ", pluralize(static_cast<std::uint64_t>(shards), "shard"), ", so that ",
                         threads - shards, " of the ", threads, " threads have no work; --shards ", threads,
                         " uses all, and gives another result"));
  }
  if (options.wire == GradientWire::kBfloat16) {
    observer.on_note("gradient-wire: gradients are sent in bfloat16; the result is not that of one process");
  }
}

void train_alone_or_on_ranks(const TrainOptions& options, Output& output, Communicator* communicator) {
  const bool leads = communicator == nullptr || communicator->first();
  const Config config = leads ? run_config({.preset = options.preset,
                                            .settings = given(options),
                                            .folder = options.folder,
                                            .resume = options.resume})
                              : Config();
  check(config);
  if (options.dump_config) return output.write(to_yaml(config));

  std::unique_ptr<TrainingDisplay> display;
  if (leads) display = std::make_unique<TrainingDisplay>(config.training.max_epochs);
  RunObserver silent;
  RunObserver& observer = leads ? static_cast<RunObserver&>(*display) : silent;
  observer.on_note(cat("model folder: ", options.folder));
  std::optional<Ranks> ranks;
  if (communicator != nullptr) {
    ranks.emplace(Ranks{*communicator, options.wire});
    advise_on_ranks(config, options, *communicator, observer);
  }
  TrainingRun run(config,
                  {.folder = options.folder,
                   .existing = options.resume      ? Existing::kResume
                               : options.overwrite ? Existing::kOverwrite
                                                   : Existing::kRefuse,
                   .threads = options.threads,
                   .poll = throw_if_interrupted,
                   .ranks = ranks ? &*ranks : nullptr},
                  observer);
  const Ended ended = run.run(interrupted);
  if (display) display->clear();
  if (communicator != nullptr) communicator->finish();
  if (ended == Ended::kNotFinite) throw Error(halted(run));
  if (ended != Ended::kOnRequest) return output.write(what_next(run, ended));
  std::cerr << "stopped after step " << run.state().step
            << (run.state().skipped_in_a_row == 0 ? ", all saved." : ", saved up to the last finite gradients.")
            << (output.is_nowhere() ? "" : cat(" To continue: dhyan train --resume -o ", options.folder)) << '\n';
  throw Interrupted();
}

void train(const TrainOptions& options, Output& output) {
  if (options.list_presets) return output.write(preset_list());
  if (options.overwrite && options.resume) throw UsageError("--overwrite and --resume do not go together");
  const std::unique_ptr<Communicator> communicator =
      join_ranks(options.ranks, {{"command", cat("dhyan train ", request(options))}});
  run_on_ranks(communicator.get(), [&] { train_alone_or_on_ranks(options, output, communicator.get()); });
}

std::string type_of(const Option& option) {
  if (!option.value.empty()) return option.value;
  switch (option.kind) {
    case OptionKind::kNumber:
      return "NUMBER";
    case OptionKind::kSwitch:
      return "[true|false]";
    case OptionKind::kWord:
      return "NAME";
    case OptionKind::kWords:
      return option.group == "Data" ? "FILE" : "NAME";  // data options take files
    case OptionKind::kNumbers:
      return "NUMBER";
  }
  return "";
}

// Adds every option of the table as a flag. Values are parsed later, together with those of files. The last value of a
// repeated flag counts, unless it is a list.
void add_table(CLI::App& command, TrainOptions& options) {
  Config usual;
  assign(usual, corpus_settings());
  assign(usual, preset(kDefaultPreset));
  for (const Option& option : dhyan::options()) {
    const std::string flag = "--" + option.name;
    const auto take = [&options, flag, &option](const std::vector<std::string>& values) {
      const bool alone = option.kind == OptionKind::kSwitch && values == std::vector<std::string>{""};
      options.flags.push_back(
          {flag, option.name, alone ? std::vector<std::string>{"true"} : values, Origin::kCommandLine});
    };
    CLI::Option* added = command.add_option_function<std::vector<std::string>>(flag, take, option.help);
    const bool list = option.kind == OptionKind::kWords || option.kind == OptionKind::kNumbers;
    if (!list) added->expected(option.kind == OptionKind::kSwitch ? 0 : 1, 1)->take_last();
    // Not as CLI11's default, which it would use as the value of a switch without a value.
    std::string value = list ? "" : option.get(usual).front();
    if (value == option_kinds::kUnset) value.clear();  // the help text names the default
    added->type_name(cat(type_of(option), value.empty() ? "" : "=", value))->group(option.group);
  }
}

Runner add_train_options(CLI::App& command) {
  const auto options = std::make_shared<TrainOptions>();
  command.add_option("--preset", options->preset, "Preset of settings to start from; --list-presets describes them")
      ->type_name("NAME")
      ->default_str(kDefaultPreset);
  command
      .add_option("-c,--config", options->files,
                  "YAML file with lines 'option: value', which override the preset; can be given several times")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command.add_option("-o,--output", options->folder, "Output folder of the model")
      ->type_name("FOLDER")
      ->capture_default_str();
  command.add_flag("--resume", options->resume, "Continue the training in the output folder");
  command.add_flag("--overwrite", options->overwrite,
                   "Replace the model in the output folder, or write to a folder that holds other files");
  command.add_option("--threads", options->threads, "Number of threads; it does not change the result")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  add_rank_options(command, options->ranks);
  add_choice(command, "--gradient-wire", kWires, options->wire,
             "Number format in which ranks send gradients; bfloat16 halves the bytes and gives another result")
      ->default_str("float32");
  command.add_flag("--list-presets", options->list_presets, "Print all presets and exit");
  command.add_flag("--dump-config", options->dump_config, "Print every setting that applies as YAML and exit");
  add_table(command, *options);
  return [options](Output& output) { train(*options, output); };
}

}  // namespace

Command train_command() {
  return {"train",
          "Train a translator, a model that describes pictures, or a (masked) language model",
          {"dhyan train", "dhyan train --preset rnnsearch --train train.hi train.en --valid dev.hi dev.en -o model",
           "dhyan train --preset gpt-nano --train text.txt --valid held-out.txt -o gpt",
           "dhyan train --preset caption-tiny -o captions",
           "dhyan train --preset caption --train captions.tsv --images photos --encoder-weights el0.safetensors",
           "dhyan train -c mine.yaml --hidden 512 --dropout 0.2 -o large", "dhyan train --resume -o model",
           "mpirun -np 4 --hostfile hosts dhyan train -c mine.yaml --shards 16 -o model"},
          add_train_options,
          {"--preset", "--train", "--valid", "--output", "--resume", "--overwrite", "--config", "--max-epochs",
           "--max-steps", "--max-minutes", "--hidden", "--tokenizer", "--vocabulary-size", "--threads", "--help",
           "--help-all"}};
}

}  // namespace dhyan::cli
