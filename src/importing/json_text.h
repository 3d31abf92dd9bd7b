#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// JSON of an untrusted file; ModelFileError that names the file if it is not JSON.
nlohmann::json parsed_json(const std::string& where, std::string_view text);

// An array of texts.
std::vector<std::string> json_texts(const std::string& where, std::string_view text);

// The settings of a JSON object, each with its type checked. A missing or null one has the value `otherwise`.
struct JsonReader {
  std::string where;
  const nlohmann::json& object;

  std::string text(const char* name, const std::string& otherwise) const;
  double number(const char* name, double otherwise) const;
  bool flag(const char* name, bool otherwise) const;
  bool has(const char* name) const;

 private:
  [[noreturn]] void fail(const char* name, const char* expected) const;
};

}  // namespace dhyan
