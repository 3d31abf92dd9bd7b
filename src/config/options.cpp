#include "config/options.h"

#include <algorithm>
#include <array>

#include "config/option_table.h"

namespace dhyan {

namespace {

// Options that a resumed training keeps although their group may change: they determine the order of the data, how the
// saved state was computed, or its metric.
constexpr std::array<std::string_view, 5> kAlwaysKept{"batch-tokens", "batch-sentences", "precision", "seed",
                                                      "stop-on"};

}  // namespace

std::vector<Option> make_options(const AttentionTables& tables, ModelKindTable kinds) {
  using namespace option_table;
  struct Group {
    const char* name;
    OnResume on_resume;
    std::vector<Option> options;
  };
  std::vector<Option> all;
  for (Group& group : std::vector<Group>{{"Model", OnResume::kKept, model_options(kinds)},
                                         {"Pictures", OnResume::kKept, picture_options()},
                                         {"Transformer", OnResume::kKept, transformer_options()},
                                         {"Attention", OnResume::kKept, attention_options(tables)},
                                         {"Tokenizers", OnResume::kKept, tokenizer_options()},
                                         {"Data", OnResume::kKept, data_options()},
                                         {"Loss", OnResume::kMayChange, loss_options()},
                                         {"Training", OnResume::kMayChange, training_options()},
                                         {"Validation", OnResume::kMayChange, validation_options()},
                                         {"Checkpoints", OnResume::kMayChange, checkpoint_options()},
                                         {"Optimizer", OnResume::kKept, optimizer_options()}}) {
    for (Option& option : group.options) {
      option.group = group.name;
      const bool kept = std::ranges::find(kAlwaysKept, option.name) != kAlwaysKept.end();
      option.on_resume = kept ? OnResume::kKept : group.on_resume;
      all.push_back(std::move(option));
    }
  }
  return all;
}

std::span<const Option> options() {
  static const std::vector<Option> table = make_options();
  return table;
}

void assign(Config& config, const Setting& setting) { assign(config, std::span(&setting, 1)); }

void assign(Config& config, std::span<const Setting> settings) {
  const AttentionTables& tables = config.common.attention.tables;
  std::vector<Option> longer;
  if (tables.scores.data() != scores().data()) longer = make_options(tables, config.kinds);
  const std::span<const Option> table = longer.empty() ? options() : std::span<const Option>(longer);
  for (const Setting& setting : settings) assign_by(table, config, setting);
}

namespace {

std::vector<WrittenOption> written(const Config& config) {
  return written(options(), config, [&](const Option& option) { return applies(option, config); });
}

}  // namespace

std::string to_yaml(const Config& config) { return yaml_text(written(config)); }
std::string to_json(const Config& config) { return json_text(written(config)); }

}  // namespace dhyan
