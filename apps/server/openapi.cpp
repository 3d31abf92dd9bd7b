#include "server/openapi.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "core/number_text.h"
#include "core/pluralize.h"
#include "core/version.h"
#include "server/header_value.h"
#include "server/own_api.h"
#include "server/yaml_json.h"

namespace dhyan::server {

namespace {

// An answer that routes give beside those of their own: GET or POST routes of some APIs, and public ones or not.
struct Problem {
  int status;
  std::string_view description;
  bool (*concerns)(const Route& route);
};

bool works(const Route& route) { return route.method == "POST"; }
bool is_checked(const Route& route) { return !route.public_access; }
bool is_newer(const Route& route) { return route.api == Api::kOpenAi || route.api == Api::kDhyan; }

constexpr std::array kProblems = {
    Problem{400, "A parameter is missing or wrong", [](const Route&) { return true; }},
    Problem{401, "The API key is missing or wrong", [](const Route& r) { return is_checked(r) && is_newer(r); }},
    Problem{403, "The API key is wrong, or the host or the origin of the request is not allowed",
            [](const Route&) { return true; }},
    Problem{404, "There is no such model", [](const Route& r) { return works(r) && is_newer(r); }},
    Problem{413, "The body is too large", works},
    Problem{429, "The client asks too often; Retry-After says for how many seconds to wait", works},
    Problem{500, "The server or a model of it is at fault", [](const Route& r) { return is_checked(r); }},
    Problem{503, "The server loads its models or has too much to do; Retry-After says for how many seconds to wait",
            [](const Route& r) { return r.path.find("health") == r.path.npos && r.path != "/livez"; }},
    Problem{504, "The answer takes too long", works},
};

std::string_view error_schema(Api api) {
  if (api == Api::kLibreTranslate) return "LibreTranslateError";
  return api == Api::kDeepL ? "DeepLError" : "Error";
}

JsonAnswer error_response(const Problem& problem, const Route& route) {
  // The transport, which knows no routes, refuses large bodies.
  const std::string_view schema = problem.status == 413 ? error_schema(Api::kDhyan) : error_schema(route.api);
  JsonAnswer response{{"description", problem.description}};
  if (problem.status == 429 || problem.status == 503) {
    response["headers"]["Retry-After"] = {{"schema", {{"type", "integer"}, {"minimum", 1}}}};
  }
  response["content"]["application/json"]["schema"]["$ref"] = cat("#/components/schemas/", schema);
  return response;
}

void complete_operation(JsonAnswer& operation, const Route& route) {
  JsonAnswer& responses = operation.at("responses");
  for (const Problem& problem : kProblems) {
    if (problem.concerns(route)) responses.emplace(std::to_string(problem.status), error_response(problem, route));
  }
  if (route.public_access) operation["security"] = JsonAnswer::array();
  std::string id = ascii_lowercase(cat(route.method, route.path));
  std::ranges::replace_if(
      id, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  operation["operationId"] = id;
}

// "Score by --length-norm" is about the parameter length_norm.
std::string in_words_of_json(std::string help) {
  for (std::size_t at = help.find("--"); at != help.npos; at = help.find("--", at + 1)) {
    const std::size_t end = std::min(help.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at + 2), help.size());
    std::string name = help.substr(at + 2, end - at - 2);
    std::ranges::replace(name, '-', '_');
    help.replace(at, end - at, name);
  }
  return help;
}

// 5 and not 5.0 of a whole number.
JsonAnswer json_number(double number, bool whole) {
  return whole ? JsonAnswer(static_cast<std::int64_t>(number)) : JsonAnswer(number);
}

JsonAnswer option_schema(const SearchOption& option) {
  JsonAnswer schema;
  const std::vector<std::string> by_default = option.get(SearchRequest());
  const std::string value = by_default.empty() ? "" : by_default.front();
  switch (option.kind) {
    case OptionKind::kWord:
      schema = {{"enum", option.choices}, {"default", value}};
      break;
    case OptionKind::kSwitch:
      schema = {{"type", "boolean"}, {"default", value == "true"}};
      break;
    case OptionKind::kWords:
      schema = {{"type", "array"}, {"maxItems", kMaxPhrases}, {"items", {{"type", "string"}}}};
      break;
    case OptionKind::kNumber:
    case OptionKind::kNumbers: {
      const NumberRange& range = *option.range;
      schema = {{"type", range.whole ? "integer" : "number"}, {"minimum", json_number(range.low, range.whole)}};
      if (std::isfinite(range.high)) schema["maximum"] = json_number(range.high, range.whole);
      for (const auto& [parameter, most] : kSearchBounds) {
        if (parameter == parameter_of(option)) schema["maximum"] = most;
      }
      if (const auto number = parse_number<double>(value)) schema["default"] = json_number(*number, range.whole);
    }
  }
  std::string text = in_words_of_json(option.help);
  if (!option.needs.empty()) text += cat(". Needs ", option.needs);
  if (!option.excludes.empty()) text += cat(". Not with ", option.excludes);
  schema["description"] = text;
  return schema;
}

// Replaces "x-search-options" of a schema by properties: all rows of the table, or those it names.
void add_search_options(JsonAnswer& schema) {
  const JsonAnswer names = schema.at("x-search-options");
  schema.erase("x-search-options");
  for (const SearchOption& option : search_option_table()) {
    const auto name = parameter_of(option);
    if (!name) continue;
    const auto is_it = [&](const JsonAnswer& one) { return one == *name; };
    if (names == "all" || std::ranges::any_of(names, is_it)) {
      schema["properties"].emplace(*name, option_schema(option));
    }
  }
}

// Values of the names between % signs. A text that is only such a name becomes the value itself.
using Values = std::map<std::string, JsonAnswer>;

Values values_of(const ServiceOptions& options) {
  const auto any_or = [](long limit, const char* what, const char* rest) {
    return limit == 0 ? cat("any number of ", what, rest)
                      : cat(grouped(static_cast<std::uint64_t>(limit)), " ", what, rest);
  };
  return {{"%version%", version()},
          {"%items%", options.max_items},
          {"%alternatives%", options.max_alternatives},
          {"%texts%", pluralize(static_cast<Index>(options.max_items), "text")},
          {"%characters%", any_or(options.max_characters, "characters", "")},
          {"%requests%", any_or(options.requests_per_minute, "texts", " a minute from each client")},
          {"%deadline%", number_text(options.deadline_seconds)}};
}

void fill(JsonAnswer& node, const Values& values) {
  if (node.is_object() && node.contains("x-search-options")) add_search_options(node);
  if (node.is_structured()) {
    for (JsonAnswer& child : node) fill(child, values);
    return;
  }
  if (!node.is_string() || node.get_ref<const std::string&>().find('%') == std::string::npos) return;
  if (const auto whole = values.find(node.get<std::string>()); whole != values.end()) {
    node = JsonAnswer(whole->second);
    return;
  }
  auto& text = node.get_ref<std::string&>();
  for (const auto& [name, value] : values) {
    const std::size_t at = text.find(name);
    if (at != text.npos) text.replace(at, name.size(), value.is_string() ? value.get<std::string>() : value.dump());
  }
}

}  // namespace

std::string openapi_json(const ServiceOptions& options) {
  JsonAnswer document = JsonAnswer::object();
  for (const std::string_view text : openapi_texts()) document.merge_patch(json_of_yaml(std::string(text)));
  for (const Route& route : routes()) {
    if (route.api == Api::kPage) continue;
    complete_operation(document.at("paths").at(std::string(route.path)).at(ascii_lowercase(route.method)), route);
  }
  JsonAnswer& keys = document["security"] = JsonAnswer::array();
  if (options.keys_file.empty()) keys.push_back(JsonAnswer::object());
  for (const auto& [name, scheme] : document.at("components").at("securitySchemes").items()) {
    keys.push_back({{name, JsonAnswer::array()}});
  }
  fill(document, values_of(options));
  return json_text(document);
}

}  // namespace dhyan::server
