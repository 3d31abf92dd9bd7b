#include "server/openapi.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "explain/picture_view.h"
#include "server/header_value.h"
#include "server/own_api.h"
#include "server/testing/json_schema.h"

namespace dhyan::server {
namespace {

using nlohmann::json;
using Names = std::set<std::string>;

json described(const ServiceOptions& options = {}) { return json::parse(openapi_json(options)); }

template <class Table>
Names names_of_table(const Table& table) {
  Names names;
  for (const auto& entry : table) names.emplace(entry.name);
  return names;
}

TEST(OpenApi, DescribesEveryRouteAndNothingElse) {
  Names expected, found, ids;
  for (const Route& route : routes()) {
    if (route.api != Api::kPage) expected.insert(cat(ascii_lowercase(route.method), ' ', route.path));
  }
  const json document = described();
  for (const auto& [path, operations] : document["paths"].items()) {
    for (const auto& [method, operation] : operations.items()) {
      found.insert(cat(method, ' ', path));
      ids.insert(operation["operationId"].get<std::string>());
      EXPECT_TRUE(operation.contains("summary") && operation.contains("tags")) << path;
    }
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(ids.size(), found.size());
}

// Where all $refs of a node lead to.
void collect_references(const json& node, Names& found) {
  if (!node.is_structured()) return;
  if (node.is_object() && node.contains("$ref")) found.insert(node["$ref"].get<std::string>());
  for (const json& child : node) collect_references(child, found);
}

TEST(OpenApi, RefersToAllThatItDefines) {
  const json document = described();
  Names references;
  collect_references(document, references);
  for (const std::string& reference : references) {
    EXPECT_TRUE(document.contains(json::json_pointer(reference.substr(1)))) << reference;
  }
  for (const char* kind : {"schemas", "parameters"}) {
    for (const auto& [name, definition] : document["components"][kind].items()) {
      const bool is_of_events = name == "SentenceEvent";  // which OpenAPI 3.1 cannot refer to
      EXPECT_TRUE(is_of_events || references.contains(cat("#/components/", kind, "/", name))) << name;
    }
  }
}

TEST(OpenApi, HasTheSearchOptions) {
  const json document = described();
  const json& translate = document["components"]["schemas"]["TranslateRequest"]["properties"];
  EXPECT_EQ(translate["beam_size"], json::parse(R"({"type": "integer", "minimum": 1, "maximum": 32, "default": 5,
                            "description": "Hypotheses kept at every step; 1 is greedy search. Not with sampling"})"));
  EXPECT_EQ(translate["length_norm"]["enum"], json({"plain", "wu"}));
  EXPECT_EQ(translate["length_norm"]["description"],
            "Length that length_penalty is applied to: plain, the number of tokens; wu, (5 + tokens) / 6");
  EXPECT_TRUE(translate.contains("forbidden"));
  EXPECT_FALSE(translate.contains("forbid")) << "one name is enough";
  EXPECT_FALSE(translate.contains("shortlist")) << "names a file";
  const json& score = document["components"]["schemas"]["ScoreRequest"]["properties"];
  EXPECT_TRUE(score.contains("length_norm"));
  EXPECT_FALSE(score.contains("beam_size"));
  EXPECT_EQ(score["length_penalty"]["default"], 0);
}

TEST(OpenApi, NamesTheFormatsThatThereAre) {
  const json document = described();
  const json& schemas = document["components"]["schemas"];
  Names of_explain = names_of_table(formats());
  of_explain.insert("explain-json");  // beside our own JSON
  EXPECT_EQ(schemas["ExplainRequest"]["properties"]["format"]["enum"].get<Names>(), of_explain);
  for (const char* request : {"CaptionRequest", "CaptionForm"}) {
    EXPECT_EQ(schemas[request]["properties"]["format"]["enum"].get<Names>(), names_of_table(picture_view_formats()));
  }
  EXPECT_EQ(schemas["Units"]["enum"].get<Names>(), names_of_table(kUnits));
}

TEST(OpenApi, TellsTheLimitsOfTheServer) {
  ServiceOptions options;
  options.max_items = 7;
  options.max_alternatives = 3;
  options.max_characters = 0;
  options.deadline_seconds = 2.5;
  const json document = described(options);
  const json& schemas = document["components"]["schemas"];
  EXPECT_EQ(schemas["OneOrMoreTexts"]["anyOf"][1]["maxItems"], 7);
  EXPECT_EQ(schemas["LibreTranslateRequest"]["properties"]["alternatives"]["maximum"], 3);
  const auto text = document["info"]["description"].get<std::string>();
  EXPECT_NE(text.find("any number of characters and 7 texts in a request, and 600 texts a minute"), text.npos) << text;
  EXPECT_NE(text.find("within 2.5 seconds"), text.npos) << text;
  EXPECT_EQ(openapi_json(options).find('%'), std::string::npos) << "something was not filled in";
}

TEST(OpenApi, SaysWhereAKeyIsNeeded) {
  EXPECT_EQ(described()["security"].front(), json::object()) << "none is";
  ServiceOptions options;
  options.keys_file = "keys.txt";
  const json document = described(options);
  EXPECT_EQ(document["security"].size(), 3u);
  for (const json& way : document["security"]) EXPECT_EQ(way.size(), 1u);
  EXPECT_EQ(document["paths"]["/languages"]["get"]["security"], json::array()) << "is public";
  EXPECT_FALSE(document["paths"]["/translate"]["post"].contains("security"));
}

TEST(JsonSchema, FindsWhatIsNotAsDescribed) {
  const json schema = json::parse(R"({
    "type": "object", "required": ["a"], "additionalProperties": false,
    "properties": {"a": {"type": ["integer", "null"], "minimum": 1}, "b": {"enum": ["x", "y"]},
                   "c": {"type": "array", "maxItems": 2, "items": {"$ref": "#/text"}},
                   "d": {"anyOf": [{"type": "boolean"}, {"const": 7}]}}})");
  const json document = json::parse(R"({"text": {"type": "string", "minLength": 2}})");
  const JsonSchema checked(document, schema);
  const auto count = [&](const char* value) { return checked.violations(json::parse(value)).size(); };
  EXPECT_EQ(count(R"({"a": 1, "b": "x", "c": ["मैं", "ab"], "d": 7})"), 0u);
  EXPECT_EQ(count(R"({"a": null, "c": [], "d": true})"), 0u);
  EXPECT_EQ(count(R"([])"), 1u);
  EXPECT_EQ(count(R"({})"), 1u);
  EXPECT_EQ(count(R"({"a": 0})"), 1u);
  EXPECT_EQ(count(R"({"a": 1.5})"), 1u);
  EXPECT_EQ(count(R"({"a": 1, "b": "z"})"), 1u);
  EXPECT_EQ(count(R"({"a": 1, "c": ["ab", "ab", "ab"]})"), 1u);
  EXPECT_EQ(count(R"({"a": 1, "d": 8})"), 1u);
  EXPECT_EQ(count(R"({"a": 1, "e": 8})"), 1u);
  EXPECT_EQ(checked.violations(json::parse(R"({"a": 1, "c": ["ab", "a"]})")),
            std::vector<std::string>{"/c/1: is \"a\", expected minLength 2"});
  const json unknown = json::parse(R"({"pattern": "a"})");
  EXPECT_EQ(JsonSchema(document, unknown).violations("b").size(), 1u);
}

}  // namespace
}  // namespace dhyan::server
