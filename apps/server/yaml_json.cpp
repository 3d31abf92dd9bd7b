#include "server/yaml_json.h"

#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include "core/error.h"
#include "core/number_text.h"

namespace dhyan::server {

namespace {

JsonAnswer scalar(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return text;  // quoted, or a block
  if (text == "null") return nullptr;
  if (text == "true" || text == "false") return text == "true";
  if (const auto whole = parse_number<std::int64_t>(text)) return *whole;
  if (const auto number = parse_number<double>(text)) return *number;
  return text;
}

JsonAnswer json_of(const YAML::Node& node) {
  if (node.IsScalar()) return scalar(node);
  if (node.IsNull()) return nullptr;
  if (node.IsSequence()) {
    JsonAnswer list = JsonAnswer::array();
    for (const YAML::Node& item : node) list.push_back(json_of(item));
    return list;
  }
  JsonAnswer object = JsonAnswer::object();
  for (const auto& entry : node) {
    if (entry.first.Scalar() == "<<") {
      const JsonAnswer merged = json_of(entry.second);
      for (const auto& [name, value] : merged.items()) object.emplace(name, JsonAnswer(value));
    } else {
      object[entry.first.Scalar()] = json_of(entry.second);
    }
  }
  return object;
}

}  // namespace

JsonAnswer json_of_yaml(const std::string& text) {
  try {
    return json_of(YAML::Load(text));
  } catch (const YAML::Exception& error) {  // the library's own kind of error ends here
    throw DataError(error.what());
  }
}

}  // namespace dhyan::server
