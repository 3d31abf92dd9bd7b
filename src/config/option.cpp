#include "config/option.h"

#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include "core/error.h"
#include "core/suggest.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

using Json = nlohmann::ordered_json;

// One value in YAML, quoted if necessary.
std::string yaml_scalar(const std::string& value) {
  YAML::Emitter emitter;
  emitter << value;
  return emitter.c_str();
}

std::string yaml_value(const WrittenOption& option) {
  if (!is_list(option.kind)) return yaml_scalar(option.values.front());
  YAML::Emitter emitter;
  emitter << YAML::Flow << option.values;
  return emitter.c_str();
}

Json json_value(OptionKind kind, const std::string& value) {
  const bool text = kind == OptionKind::kWord || kind == OptionKind::kWords;
  // An optional number without a value is written as a word.
  if (text || Json::accept(value) == false) return value;
  return Json::parse(value);
}

}  // namespace

void expect_known_text(const Setting& setting, std::span<const std::string> names) {
  if (std::ranges::find(names, setting.name) == names.end()) {
    setting.fail(cat("there is no option '", setting.name, "'", suggestion(setting.name, names)));
  }
  for (const std::string& value : setting.values) {
    // JSON cannot store any other bytes.
    if (first_bad_byte(value) || value.find('\0') != value.npos) setting.fail(cat(setting.name, " is not UTF-8 text"));
  }
}

std::string yaml_text(std::span<const WrittenOption> options) {
  std::string text, group;
  for (const WrittenOption& option : options) {
    if (option.group != group) {
      text += cat(group.empty() ? "" : "\n", "# ", option.group, '\n');
      group = option.group;
    }
    text += cat(option.name, ": ", yaml_value(option), '\n');
  }
  return text;
}

std::string json_text(std::span<const WrittenOption> options) {
  Json json = Json::object();
  for (const WrittenOption& option : options) {
    if (!is_list(option.kind)) {
      json[option.name] = json_value(option.kind, option.values.front());
      continue;
    }
    Json& list = json[option.name] = Json::array();
    for (const std::string& value : option.values) list.push_back(json_value(option.kind, value));
  }
  return json.dump(2) + '\n';
}

}  // namespace dhyan
