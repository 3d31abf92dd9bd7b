#pragma once

#include "config/option_kinds.h"
#include "config/options.h"

namespace dhyan::option_table {

using namespace option_kinds;

// Paths into Config.
inline constexpr auto common = [](auto member) { return path(&Config::common, member); };
inline constexpr auto recurrent = [](auto member) { return path(&Config::recurrent, member); };
inline constexpr auto transformer = [](auto member) { return path(&Config::transformer, member); };
inline constexpr auto masked = [](auto member) {
  return path(&Config::transformer, &TransformerSettings::masked, member);
};
inline constexpr auto aligner = [](auto member) { return path(&Config::aligner, member); };
inline constexpr auto attention = [](auto member) { return path(&Config::common, &ModelConfig::attention, member); };
inline constexpr auto backbone = [](auto member) { return path(&Config::common, &ModelConfig::backbone, member); };
inline constexpr auto adapter = [](auto member) { return path(&Config::common, &ModelConfig::adapter, member); };
inline constexpr auto tokenizer = [](auto member) { return path(&Config::tokenizer, member); };
inline constexpr auto learned = [](auto member) {
  return path(&Config::tokenizer, &TokenizerConfig::settings, member);
};
inline constexpr auto sampling = [](auto member) {
  return path(&Config::tokenizer, &TokenizerConfig::sampling, member);
};
inline constexpr auto data = [](auto member) { return path(&Config::data, member); };
inline constexpr auto validation = [](auto member) { return path(&Config::validation, member); };
inline constexpr auto training = [](auto member) { return path(&Config::training, member); };
inline constexpr auto batch = [](auto member) { return path(&Config::training, &TrainingOptions::batch, member); };
inline constexpr auto loss = [](auto member) { return path(&Config::training, &TrainingOptions::loss, member); };
inline constexpr auto optimizer = [](auto m) {
  return path(&Config::training, &TrainingOptions::optimizer_settings, m);
};
inline constexpr auto schedule = [](auto m) { return path(&Config::training, &TrainingOptions::schedule_settings, m); };

// Bounds of numbers without a natural limit.
inline constexpr double kHuge = 1e9;
inline constexpr Index kWidest = 1 << 16, kMany = Index{1} << 40;

// The options of each group.
std::vector<Option> model_options(ModelKindTable kinds);
std::vector<Option> picture_options();
std::vector<Option> transformer_options();
std::vector<Option> attention_options(const AttentionTables& tables);
std::vector<Option> tokenizer_options();
std::vector<Option> data_options();
std::vector<Option> loss_options();
std::vector<Option> training_options();
std::vector<Option> validation_options();
std::vector<Option> checkpoint_options();
std::vector<Option> optimizer_options();

}  // namespace dhyan::option_table
