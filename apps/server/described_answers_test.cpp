// Real answers of a service with small models are as /openapi.json describes them.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base64.h"
#include "explain/picture_view.h"
#include "server/header_value.h"
#include "server/openapi.h"
#include "server/testing/json_schema.h"
#include "server/testing/kept_exchange.h"
#include "server/testing/small_models.h"
#include "translator/named_picture.h"
#include "vision/write_picture.h"

namespace dhyan::server {
namespace {

using nlohmann::json;

constexpr const char* kJsonType = "application/json";
constexpr const char* kFormType = "application/x-www-form-urlencoded";
constexpr const char* kMultipartType = "multipart/form-data; boundary=b";

// A request, as the tables below have it.
struct Asked {
  const char* method;
  std::string target;  // path and query
  std::string type = {};
  std::string body = {};
  std::string key = {};
};

HttpRequest request_of(const Asked& asked) {
  HttpRequest request;
  request.method = asked.method;
  const std::size_t query = asked.target.find('?');
  request.path = asked.target.substr(0, query);
  if (query != std::string::npos) request.query = asked.target.substr(query + 1);
  if (!asked.type.empty()) request.headers.emplace_back("content-type", asked.type);
  if (!asked.key.empty()) request.headers.emplace_back("authorization", cat("Bearer ", asked.key));
  request.body = asked.body;
  return request;
}

class Answers : public testing::Test {
 protected:
  static void SetUpTestSuite() { models_ = new SmallModels; }
  static void TearDownTestSuite() { delete std::exchange(models_, nullptr); }

  static ServiceOptions options() {
    ServiceOptions options;
    options.models = models_->specs();
    options.requests_per_minute = 0;
    return options;
  }

  // The answer, which must have this status and be as described.
  HttpResponse expect_as_described(Service& service, const Asked& asked, int status) {
    const HttpResponse answer = ask(service, request_of(asked));
    const std::string path = asked.target.substr(0, asked.target.find('?'));
    const std::string place = cat(asked.method, ' ', asked.target, ' ', asked.body.substr(0, 200), '\n', answer.body);
    EXPECT_EQ(answer.status, status) << place;
    const json& operation = document_["paths"][path][ascii_lowercase(asked.method)];
    const json& responses = operation["responses"];
    const std::string code = std::to_string(answer.status);
    const std::string type(parse_header_value(answer.content_type).value);
    if (!responses.contains(code) || !responses[code]["content"].contains(type)) {
      ADD_FAILURE() << place << "\nis not described: " << code << ' ' << type;
      return answer;
    }
    seen_.insert(cat(asked.method, ' ', path, ' ', code, ' ', type));
    const json& content = responses[code]["content"][type];
    if (type == kJsonType) expect_valid(content.at("schema"), json::parse(answer.body), place);
    if (status == 200 && asked.type == kJsonType) {
      expect_valid(operation["requestBody"]["content"][kJsonType]["schema"], json::parse(asked.body),
                   place + " (request)");
    }
    return answer;
  }

  void expect_valid(const json& schema, const json& value, const std::string& place) {
    for (const std::string& wrong : JsonSchema(document_, schema).violations(value)) {
      ADD_FAILURE() << place << '\n' << wrong;
    }
  }

  static inline SmallModels* models_ = nullptr;
  const json document_ = json::parse(openapi_json({}));
  std::set<std::string> seen_;  // "POST /translate 200 application/json"
};

constexpr const char* kPlaced = R"([{"figure": "circle", "colour": "red", "size": "large", "x": 20, "y": 30.5}])";

// A picture in a file.
std::string kite() { return to_png_bytes(picture_to_show(picture_of_scene("red kite"))); }

std::string quoted(std::string_view text) { return json(text).dump(); }

std::string multipart(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string body;
  for (const auto& [name, value] : fields) {
    const bool is_file = name == "image";
    body += cat("--b\r\nContent-Disposition: form-data; name=\"", name, '"', is_file ? "; filename=\"a.png\"" : "",
                "\r\n\r\n", value, "\r\n");
  }
  return body + "--b--\r\n";
}

std::vector<Asked> questions_of_other_apis() {
  return {
      {"GET", "/livez"},
      {"GET", "/health"},
      {"GET", "/metrics"},
      {"GET", "/openapi.json"},
      {"GET", "/spec"},
      {"GET", "/languages"},
      {"GET", "/frontend/settings"},
      {"POST", "/translate", kJsonType, R"({"q": "मैं खाना", "source": "hi", "target": "en"})"},
      {"POST", "/translate", kJsonType,
       R"({"q": ["मैं", "तुम पानी"], "source": "auto", "target": "en", "alternatives": 2, "format": "html"})"},
      {"POST", "/translate", kJsonType, R"({"q": "मैं", "source": "auto", "target": "EN-us", "alternatives": 1})"},
      {"POST", "/translate", kFormType, "q=मैं&source=hi&target=en&api_key="},
      {"POST", "/translate", kMultipartType, multipart({{"q", "मैं"}, {"source", "hi"}, {"target", "en"}})},
      {"POST", "/translate?q=%21&source=auto&target=en"},
      {"POST", "/detect", kFormType, "q=मैं"},
      {"POST", "/detect", kJsonType, R"({"q": "123", "api_key": null})"},
      {"POST", "/v2/translate", kJsonType,
       R"({"text": ["मैं <b>खाना</b>", ""], "target_lang": "EN", "tag_handling": "xml"})"},
      {"POST", "/v2/translate", kFormType, "text=मैं&text=तुम&target_lang=en-US&source_lang=HI"},
      {"GET", "/v2/languages"},
      {"GET", "/v2/languages?type=target"},
      {"GET", "/v2/usage"},
      {"POST", "/v2/usage"},
      {"GET", "/v1/models"},
      {"POST", "/v1/completions", kJsonType, R"({"model": "writer", "prompt": "I am", "n": 2, "max_tokens": 3})"},
      {"POST", "/v1/completions", kJsonType, R"({"stream": true, "max_tokens": 3, "echo": true, "prompt": ["I"]})"},
      {"POST", "/v1/embeddings", kJsonType, R"({"input": ["मैं", "खाना"]})"},
      {"POST", "/v1/embeddings", kJsonType, R"({"input": "मैं", "model": "filler", "encoding_format": "base64"})"},
  };
}

std::vector<Asked> questions_of_our_api() {
  std::vector<Asked> questions = {
      {"POST", "/v1/tokenize", kJsonType, R"({"q": "मैं खाना", "model": "rnn"})"},
      {"POST", "/v1/tokenize", kJsonType, R"({"q": ["I am", ""], "side": "target"})"},
      {"POST", "/v1/translate", kJsonType,
       R"({"q": ["मैं खाना। तुम पानी।", ""], "source_lang": "hi", "target_lang": "en"})"},
      {"POST", "/v1/translate", kJsonType, R"({"q": "मैं", "n_best": 2.0, "beam_size": 3, "model": "transformer"})"},
      {"POST", "/v1/translate", kJsonType, R"({"q": ["मैं", "तुम"], "prefix": ["I", ""], "required": [["food"], []]})"},
      {"POST", "/v1/translate", kJsonType, R"({"q": "मैं", "required": "food", "forbidden": ["water"], "stream": true})"},
      {"POST", "/v1/translate", kJsonType, R"({"q": "मैं", "sampling": true, "seed": 3, "temperature": 2, "n_best": 2})"},
      {"POST", "/v1/score", kJsonType, R"({"q": ["मैं", "तुम"], "target": ["I am", "you"], "length_penalty": 1})"},
      {"POST", "/v1/score", kJsonType, R"({"q": "मैं", "target": "I I I I I I I I I", "model": "transformer"})"},
      {"POST", "/v1/align", kJsonType, R"({"q": "मैं खाना", "target": "I am food", "units": "subword"})"},
      {"POST", "/v1/explain", kJsonType, R"({"q": "मैं खाना"})"},
      {"POST", "/v1/explain", kJsonType,
       R"({"q": "मैं खाना", "model": "transformer", "layers": [1], "heads": 2, "units": "subword",
           "include": ["attention", "self", "energies", "context", "candidates", "beam"]})"},
      {"POST", "/v1/explain", kJsonType,
       R"({"q": "मैं खाना", "target": "I am", "encoding": "base64", "include": ["attention", "energies", "beam"]})"},
      {"POST", "/v1/explain", kJsonType, R"({"q": "मैं खाना", "prefix": "you", "beam_size": 2, "include": ["beam"]})"},
      {"POST", "/v1/explain", kJsonType,
       R"({"q": "मैं खाना", "edits": [{"step": 1, "layer": 1, "weights": [0, 0.5, 0.5]}], "influence": 1})"},
      {"POST", "/v1/caption", kJsonType, R"({"scene": "small red circle", "n_best": 2})"},
      {"POST", "/v1/caption", kMultipartType,
       multipart({{"image", kite()}, {"n_best", "2"}, {"beam_size", "3"}, {"sampling", "no"}, {"patience", ""}})},
      {"POST", "/v1/caption", kJsonType, cat(R"({"image": )", quoted(base64(kite())), "}")},
      {"POST", "/v1/caption", kJsonType, cat(R"({"scene": )", kPlaced, "}")},
      {"POST", "/v1/scene", kJsonType, cat(R"({"scene": )", kPlaced, "}")},
      {"POST", "/v1/scene", kJsonType, R"({"scene": "small red circle"})"},
      {"GET", "/v1/examples?model=rnn"},
      {"GET", "/v1/examples?model=captions"},
  };
  for (const Format& format : formats()) {
    const std::string name = quoted(format.name);
    questions.push_back({"POST", "/v1/explain", kJsonType, cat(R"({"q": "मैं खाना", "format": )", name, "}")});
  }
  for (const char* attention : {"cross", "all"}) {
    questions.push_back({"POST", "/v1/explain", kJsonType,
                         cat(R"({"q": "मैं खाना", "format": "explain-json", "attention": )", quoted(attention), "}")});
  }
  for (const PictureViewFormat& format : picture_view_formats()) {
    const std::string name = quoted(format.name);
    questions.push_back({"POST", "/v1/caption", kJsonType, cat(R"({"scene": "red kite", "format": )", name, "}")});
  }
  return questions;
}

TEST_F(Answers, AreAsDescribed) {
  Service service(options());
  service.load();
  for (const Asked& asked : questions_of_other_apis()) expect_as_described(service, asked, 200);
  for (const Asked& asked : questions_of_our_api()) expect_as_described(service, asked, 200);
  for (const auto& [path, operations] : document_["paths"].items()) {
    for (const auto& [method, operation] : operations.items()) {
      if (!operation["responses"].contains("200")) continue;
      for (const auto& [type, content] : operation["responses"]["200"]["content"].items()) {
        const std::string name = cat(method == "get" ? "GET " : "POST ", path, " 200 ", type);
        EXPECT_TRUE(seen_.contains(name)) << "no request above is answered by " << name;
      }
    }
  }
}

// The data of the events of a stream.
std::vector<std::string> events_in(const std::string& body) {
  std::vector<std::string> events;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = body.find("\n\n", at);
    EXPECT_TRUE(end != body.npos && body.compare(at, 6, "data: ") == 0) << body;
    if (end == body.npos) break;
    events.push_back(body.substr(at + 6, end - at - 6));
    at = end + 2;
  }
  return events;
}

TEST_F(Answers, AreEventsAsDescribed) {
  Service service(options());
  service.load();
  const json& schemas = document_["components"]["schemas"];
  const Asked translate{"POST", "/v1/translate", kJsonType, R"({"q": "मैं। तुम।", "stream": true})"};
  const auto sentences = events_in(expect_as_described(service, translate, 200).body);
  ASSERT_EQ(sentences.size(), 4u);
  for (const std::size_t i : {0u, 1u}) expect_valid(schemas["SentenceEvent"], json::parse(sentences[i]), sentences[i]);
  expect_valid(schemas["Translations"], json::parse(sentences[2]), sentences[2]);
  EXPECT_EQ(sentences[3], "[DONE]");

  const Asked write{"POST", "/v1/completions", kJsonType,
                    R"({"stream": true, "max_tokens": 3, "echo": true, "prompt": "I"})"};
  const auto pieces = events_in(expect_as_described(service, write, 200).body);
  ASSERT_GE(pieces.size(), 3u);
  EXPECT_EQ(pieces.back(), "[DONE]");
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
    expect_valid(schemas["Completion"], json::parse(pieces[i]), pieces[i]);
}

TEST_F(Answers, ThatRefuseAreAsDescribed) {
  Service service(options());
  service.load();
  for (const Route& route : routes()) {
    if (route.api == Api::kPage) continue;
    const std::string path(route.path);
    const bool disabled = path == "/suggest" || path == "/translate_file";
    if (route.method == "POST") expect_as_described(service, {"POST", path, kJsonType, "{"}, 400);
    const bool needs_parameters = path != "/v2/usage" && path != "/v1/completions";
    if (route.method == "POST" && needs_parameters)
      expect_as_described(service, {"POST", path, kJsonType, "{}"}, disabled ? 403 : 400);
  }
  const std::vector<Asked> unknown_models = {
      {"POST", "/v1/translate", kJsonType, R"({"q": "a", "model": "none"})"},
      {"POST", "/v1/score", kJsonType, R"({"q": "a", "target": "b", "model": "rnn@7"})"},
      {"POST", "/v1/explain", kJsonType, R"({"q": "a", "source_lang": "en", "target_lang": "hi"})"},
      {"POST", "/v1/caption", kJsonType, R"({"scene": "red kite", "model": "none"})"},
      {"POST", "/v1/completions", kJsonType, R"({"model": "none"})"},
  };
  for (const Asked& asked : unknown_models) expect_as_described(service, asked, 404);
  expect_as_described(service, {"POST", "/translate", kJsonType, R"({"q": "a", "source": "xx", "target": "en"})"}, 400);
  expect_as_described(service, {"POST", "/v2/translate", kJsonType, R"({"text": "a", "target_lang": "xx"})"}, 400);
  expect_as_described(service, {"GET", "/v2/languages?type=both"}, 400);
}

TEST_F(Answers, WithoutAKeyAreAsDescribed) {
  ServiceOptions needing = options();
  needing.keys_file = models_->folder().write("keys.txt", "right 1 0\n");
  Service service(needing);
  service.load();
  for (const Route& route : routes()) {
    const bool is_other = route.api == Api::kLibreTranslate || route.api == Api::kDeepL;
    const Asked asked{route.method.data(), std::string(route.path)};
    if (route.public_access) continue;
    expect_as_described(service, asked, route.api == Api::kLibreTranslate ? 400 : is_other ? 403 : 401);
    Asked wrong = asked;
    wrong.key = "wrong";
    expect_as_described(service, wrong, is_other ? 403 : 401);
  }
  for (const int status : {200, 429}) {
    expect_as_described(service, {"POST", "/v1/tokenize", kJsonType, R"({"q": "a"})", "right"}, status);
  }
  expect_as_described(service, {"POST", "/translate", kFormType, "q=a&source=hi&target=en&api_key=right"}, 429);
  expect_as_described(service, {"POST", "/v2/translate", kFormType, "text=a&target_lang=en", "right"}, 429);
}

TEST_F(Answers, OfAServerThatIsNotReadyAreAsDescribed) {
  Service loading(options());
  for (const Asked& asked : questions_of_other_apis()) {
    const bool at_once = asked.target == "/livez" || asked.target == "/metrics" || asked.target == "/openapi.json" ||
                         asked.target == "/spec" || asked.target == "/v2/usage";
    if (!at_once) expect_as_described(loading, asked, 503);
  }
  ServiceOptions hurried = options();
  hurried.deadline_seconds = 0;
  Service late(hurried);
  late.load();
  expect_as_described(late, {"POST", "/translate", kFormType, "q=मैं&source=hi&target=en"}, 504);
  expect_as_described(late, {"POST", "/v2/translate", kFormType, "text=मैं&target_lang=en"}, 504);
  expect_as_described(late, {"POST", "/v1/explain", kJsonType, R"({"q": "मैं"})"}, 504);
}

}  // namespace
}  // namespace dhyan::server
