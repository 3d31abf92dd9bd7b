#include "importing/json_text.h"

#include "core/error.h"

namespace dhyan {

nlohmann::json parsed_json(const std::string& where, std::string_view text) {
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) throw ModelFileError(cat(where, ": is not JSON"));
  return json;
}

std::vector<std::string> json_texts(const std::string& where, std::string_view text) {
  const nlohmann::json json = parsed_json(where, text);
  if (!json.is_array()) throw ModelFileError(cat(where, ": expected an array of texts"));
  std::vector<std::string> texts;
  for (const nlohmann::json& one : json) {
    if (!one.is_string()) throw ModelFileError(cat(where, ": entry ", texts.size(), " is no text"));
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

bool JsonReader::has(const char* name) const {
  return object.is_object() && object.contains(name) && !object[name].is_null();
}

void JsonReader::fail(const char* name, const char* expected) const {
  throw ModelFileError(cat(where, ": '", name, "' is ", object[name].type_name(), ", expected ", expected));
}

std::string JsonReader::text(const char* name, const std::string& otherwise) const {
  if (!has(name)) return otherwise;
  if (!object[name].is_string()) fail(name, "a text");
  return object[name].get<std::string>();
}

double JsonReader::number(const char* name, double otherwise) const {
  if (!has(name)) return otherwise;
  if (!object[name].is_number()) fail(name, "a number");
  return object[name].get<double>();
}

bool JsonReader::flag(const char* name, bool otherwise) const {
  if (!has(name)) return otherwise;
  if (!object[name].is_boolean()) fail(name, "true or false");
  return object[name].get<bool>();
}

}  // namespace dhyan
