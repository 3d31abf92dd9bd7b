#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/config.h"
#include "config/option.h"

namespace dhyan {

// Whether a training that is resumed may be given another value: not if the model or its data would be others.
enum class OnResume { kKept, kMayChange };

// What an option needs to have an effect.
struct Condition {
  bool (*holds)(const Config& config);
  std::string_view needs;                      // "a recurrent model"
  std::string (*found)(const Config& config);  // where it does not hold, what is there instead
};

// A row of the table of training options.
struct Option : OptionOf<Config> {
  Option(OptionOf<Config> row) : OptionOf(std::move(row)) {}  // implicit: option_kinds.h makes rows

  OnResume on_resume = OnResume::kKept;
  const Condition* condition = nullptr;  // null: it always has an effect
};

// The table of options, by group, whose choices are the names in these tables.
std::vector<Option> make_options(const AttentionTables& tables = {}, ModelKindTable kinds = model_kinds);

// The table for the built-in ones. Command line, files, help and config.json all go through it.
std::span<const Option> options();

// Gives one option of a config its value. An unknown name fails with the nearest known one.
void assign(Config& config, const Setting& setting);
void assign(Config& config, std::span<const Setting> settings);  // the last of a name counts

// Whether the option has an effect on a run with this config.
bool applies(const Option& option, const Config& config);

// For settings that a user wrote, once the config is complete: fails for the first one that has no effect, with what it
// needs and what the config has instead.
void expect_to_apply(const Config& config, std::span<const Setting> settings);

// Every option that applies, with its value, to be read back by parse_yaml() or parse_json() and assign().
std::string to_yaml(const Config& config);
std::string to_json(const Config& config);

}  // namespace dhyan
