#include <algorithm>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include "config/options.h"
#include "core/choice.h"
#include "core/error.h"
#include "core/suggest.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

using Json = nlohmann::ordered_json;

// One value as it stands in YAML, quoted where it must be.
std::string yaml_scalar(const std::string& value) {
  YAML::Emitter emitter;
  emitter << value;
  return emitter.c_str();
}

std::string yaml_value(const Option& option, const Config& config) {
  const std::vector<std::string> values = option.get(config);
  if (option.kind != OptionKind::kWords && option.kind != OptionKind::kNumbers) return yaml_scalar(values.front());
  YAML::Emitter emitter;
  emitter << YAML::Flow << values;
  return emitter.c_str();
}

Json json_value(OptionKind kind, const std::string& value) {
  const bool text = kind == OptionKind::kWord || kind == OptionKind::kWords;
  // An optional number that is not given is a word.
  if (text || Json::accept(value) == false) return value;
  return Json::parse(value);
}

}  // namespace

void assign(Config& config, const Setting& setting) {
  const auto found = std::ranges::find(options(), setting.name, &Option::name);
  if (found == options().end()) {
    setting.fail(cat("there is no option '", setting.name, "'", suggestion(setting.name, names_of(options()))));
  }
  for (const std::string& value : setting.values) {
    // What is stored as JSON has to be text.
    if (first_bad_byte(value) || value.find('\0') != value.npos) setting.fail(cat(setting.name, " is not UTF-8 text"));
  }
  found->set(config, setting);
}

void assign(Config& config, std::span<const Setting> settings) {
  for (const Setting& setting : settings) assign(config, setting);
}

std::string to_yaml(const Config& config) {
  std::string text, group;
  for (const Option& option : options()) {
    if (!applies(option, config)) continue;
    if (option.group != group) {
      text += cat(group.empty() ? "" : "\n", "# ", option.group, '\n');
      group = option.group;
    }
    text += cat(option.name, ": ", yaml_value(option, config), '\n');
  }
  return text;
}

std::string to_json(const Config& config) {
  Json json = Json::object();
  for (const Option& option : options()) {
    if (!applies(option, config)) continue;
    const std::vector<std::string> values = option.get(config);
    if (option.kind != OptionKind::kWords && option.kind != OptionKind::kNumbers) {
      json[option.name] = json_value(option.kind, values.front());
      continue;
    }
    Json& list = json[option.name] = Json::array();
    for (const std::string& value : values) list.push_back(json_value(option.kind, value));
  }
  return json.dump(2) + '\n';
}

}  // namespace dhyan
