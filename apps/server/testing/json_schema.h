#pragma once

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "text/unicode.h"

namespace dhyan::server {

// For tests: JSON Schema 2020-12 as far as our description of the API uses it. A keyword that it does not know is a
// violation too, so the description cannot use what nobody checks.
class JsonSchema {
 public:
  using Json = nlohmann::json;

  JsonSchema(const Json& document, const Json& schema) : document_(document), schema_(schema) {}

  // "/translations/0/text: is a number, expected string", for each place that is not as the schema says.
  std::vector<std::string> violations(const Json& value) const {
    std::vector<std::string> found;
    check(schema_, value, "", found);
    return found;
  }

 private:
  using Found = std::vector<std::string>;

  void check(const Json& schema, const Json& value, const std::string& where, Found& found) const {
    for (const auto& [keyword, rule] : schema.items()) {
      if (!check_any(keyword, rule, value, where, found) && !check_inside(keyword, schema, value, where, found) &&
          !check_size(keyword, rule, value, where, found) && !explains(keyword)) {
        found.push_back(cat(where, ": nobody checks the keyword ", keyword));
      }
    }
  }

  static bool explains(std::string_view keyword) {
    return keyword == "description" || keyword == "default" || keyword == "contentEncoding" ||
           keyword == "contentMediaType";
  }

  // Checks keywords for values of all types; returns whether the keyword is one of these.
  bool check_any(std::string_view keyword, const Json& rule, const Json& value, const std::string& where,
                 Found& found) const {
    if (keyword == "$ref") {
      check(document_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, where, found);
    } else if (keyword == "type") {
      const Json names = rule.is_array() ? rule : Json::array({rule});
      const auto fits = [&](const Json& name) { return has_type(value, name.get<std::string>()); };
      expect(std::ranges::any_of(names, fits), where, cat("is ", value.dump(), ", expected ", rule.dump()), found);
    } else if (keyword == "enum" || keyword == "const") {
      const Json values = keyword == "enum" ? rule : Json::array({rule});
      expect(std::ranges::find(values, value) != values.end(), where,
             cat("is ", value.dump(), ", expected ", values.dump()), found);
    } else if (keyword == "anyOf") {
      const auto fits = [&](const Json& schema) {
        Found ignored;
        check(schema, value, where, ignored);
        return ignored.empty();
      };
      expect(std::ranges::any_of(rule, fits), where, cat("is ", value.dump(), ", which is none of the forms"), found);
    } else {
      return false;
    }
    return true;
  }

  // Checks the members of objects and arrays.
  bool check_inside(std::string_view keyword, const Json& schema, const Json& value, const std::string& where,
                    Found& found) const {
    const Json& rule = schema.at(keyword);
    if (keyword == "items") {
      for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
        check(rule, value[i], cat(where, '/', i), found);
    } else if (keyword == "properties") {
      for (const auto& [name, property] : rule.items()) {
        if (value.is_object() && value.contains(name)) check(property, value[name], cat(where, '/', name), found);
      }
    } else if (keyword == "required") {
      for (const std::string name : rule) {
        expect(!value.is_object() || value.contains(name), where, cat("has no ", name), found);
      }
    } else if (keyword == "additionalProperties" && rule == false) {
      if (!value.is_object()) return true;
      for (const auto& [name, property] : value.items()) {
        expect(schema.at("properties").contains(name), where, cat("has ", name, ", which is not described"), found);
      }
    } else {
      return false;
    }
    return true;
  }

  static bool check_size(std::string_view keyword, const Json& rule, const Json& value, const std::string& where,
                         Found& found) {
    const auto compare = [&](bool concerned, double size) {
      if (!concerned) return;
      const bool fits = keyword.starts_with("min") ? size >= rule.get<double>() : size <= rule.get<double>();
      expect(fits, where, cat("is ", value.dump(), ", expected ", keyword, ' ', rule.dump()), found);
    };
    if (keyword == "minimum" || keyword == "maximum") {
      compare(value.is_number(), value.is_number() ? value.get<double>() : 0);
    } else if (keyword == "minItems" || keyword == "maxItems") {
      compare(value.is_array(), static_cast<double>(value.size()));
    } else if (keyword == "minLength") {
      compare(value.is_string(),
              value.is_string() ? static_cast<double>(count_characters(value.get<std::string>())) : 0);
    } else {
      return false;
    }
    return true;
  }

  static bool has_type(const Json& value, std::string_view name) {
    if (name == "integer") return value.is_number() && value.get<double>() == std::trunc(value.get<double>());
    return name == value.type_name();
  }

  static void expect(bool holds, const std::string& where, const std::string& what, Found& found) {
    if (!holds) found.push_back(cat(where, ": ", what));
  }

  const Json& document_;
  const Json& schema_;
};

}  // namespace dhyan::server
