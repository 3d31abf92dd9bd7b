#include "runs/run_config.h"

#include <algorithm>

#include "config/option_kinds.h"
#include "config/options.h"
#include "config/presets.h"
#include "core/error.h"
#include "runs/run_folder.h"
#include "translator/model_folder.h"

namespace dhyan {

namespace {

bool is_given(const std::vector<Setting>& settings, std::string_view option) {
  return std::ranges::find(settings, option, &Setting::name) != settings.end();
}

// A resumed training cannot change options that determine the model or its data.
void expect_to_resume_with(const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) {
    const auto option = std::ranges::find(dhyan::options(), setting.name, &Option::name);
    if (option == dhyan::options().end() || option->on_resume == OnResume::kMayChange) continue;
    throw UsageError(setting.message(
        cat(setting.name, " cannot change with --resume: it stays as it was when the training started")));
  }
}

// The value of the last --init-from; empty if there is none.
std::string model_to_begin_with(const std::vector<Setting>& settings, const AttentionTables& tables) {
  Config config;
  config.common.attention.tables = tables;
  for (const Setting& setting : settings) {
    if (setting.name == "init-from") assign(config, setting);
  }
  return config.init_from;
}

// The settings of an earlier model, without its data and validation.
Config config_to_begin_with(const std::string& folder, const AttentionTables& tables) {
  Config config = load_config(folder, tables);
  DataConfig data;
  data.max_length = config.data.max_length;
  data.overlong = config.data.overlong;
  config.data = data;
  config.tokenizer.from.clear();
  config.training.freeze.clear();
  config.validation = {};
  config.training.stop_on = TrainingOptions().stop_on;
  config.training.keep_best.clear();
  return config;
}

// The few weights of adapters learn at higher rates than all weights of a trained model.
constexpr double kAdapterRate = 3e-4;

Config begun_config(const RunSettings& wanted) {
  const std::string model = model_to_begin_with(wanted.settings, wanted.tables);
  if (model.empty()) {
    return config_of(wanted.preset.empty() ? kDefaultPreset : wanted.preset,
                     is_given(wanted.settings, "train") ? CorpusOf::kUser : CorpusOf::kBuiltIn);
  }
  Config config = config_to_begin_with(model, wanted.tables);
  const std::string tokenizer = config.tokenizer.kind;
  if (!wanted.preset.empty()) assign(config, preset(wanted.preset));
  if (is_given(wanted.settings, "adapter-rank")) config.training.schedule_settings.learning_rate = kAdapterRate;
  config.tokenizer.kind = tokenizer;
  return config;
}

Config resumed_config(const RunSettings& wanted) {
  if (!wanted.preset.empty()) {
    throw UsageError("--preset and --resume do not go together: a model keeps its own settings");
  }
  expect_to_resume_with(wanted.settings);
  if (std::filesystem::is_directory(wanted.folder)) check_training_folder(wanted.folder, Existing::kResume);
  return load_config(wanted.folder, wanted.tables);
}

}  // namespace

Config run_config(const RunSettings& wanted) {
  Config config = wanted.resume ? resumed_config(wanted) : begun_config(wanted);
  config.common.attention.tables = wanted.tables;
  // The folder determines the kind, not a preset or the model of --init-from.
  if (is_given(wanted.settings, "tokenizer-from")) config.tokenizer.kind = kChosenKind;
  assign(config, wanted.settings);
  complete(config);
  expect_to_apply(config, wanted.settings);
  return config;
}

}  // namespace dhyan
