#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/config.h"
#include "config/option.h"

namespace dhyan {

// Whether a resumed training may change the option: not if the option determines the model or its data.
enum class OnResume { kKept, kMayChange };

// The condition under which an option has an effect.
struct Condition {
  bool (*holds)(const Config& config);
  std::string_view needs;                      // "a recurrent model"
  std::string (*found)(const Config& config);  // the contrary setting of a config, if it does not hold
};

// A row of the table of training options.
struct Option : OptionOf<Config> {
  Option(OptionOf<Config> row) : OptionOf(std::move(row)) {}  // implicit: option_kinds.h makes rows

  OnResume on_resume = OnResume::kKept;
  const Condition* condition = nullptr;  // null: always applies
};

// The table of options, by group; choices are the names in these tables.
std::vector<Option> make_options(const AttentionTables& tables = {}, ModelKindTable kinds = model_kinds);

// The options with the built-in tables. Command line, YAML, help and config.json all iterate them.
std::span<const Option> options();

// Sets one option of a config. An unknown name fails with the nearest known one. Scores are those of the config's own
// table.
void assign(Config& config, const Setting& setting);
void assign(Config& config, std::span<const Setting> settings);  // the last one of equal names wins

// Whether the option has an effect on a run with this config.
bool applies(const Option& option, const Config& config);

// Checks the settings of a user against the complete config: fails for the first one without effect, with what it needs
// and what the config has instead.
void expect_to_apply(const Config& config, std::span<const Setting> settings);

// Every option that applies, with its value; parse_yaml() or parse_json() and assign() read it back.
std::string to_yaml(const Config& config);
std::string to_json(const Config& config);

}  // namespace dhyan
