// Requests that the server refuses: statuses and messages of the APIs, limits, keys.

#include "client_models.h"

namespace dhyan {
namespace {

constexpr const char* kWantsMilk = "मैं दूध चाहता हूँ";

class Refusals : public ClientModels {
 protected:
  static Json question(const Json& changes = Json::object()) {
    Json all{{"q", kWantsMilk}, {"source", "hi"}, {"target", "en"}};
    all.update(changes);
    return all;
  }
  static Answer translate(const Json& changes) { return server().post("/translate", question(changes)); }

  static void refused(const Answer& answer, int status, const std::string& message) {
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_EQ(answer.type, "application/json");
    EXPECT_EQ(answer.json(), (Json{{"error", message}}));
  }
};

TEST_F(Refusals, AreInLibreTranslatesWords) {
  for (const std::string name : {"q", "source", "target"}) {
    for (const Json& missing : {Json(nullptr), Json("")}) {
      refused(translate({{name, missing}}), 400, "Invalid request: missing " + name + " parameter");
    }
  }
  refused(server().post("/detect", Json::object()), 400, "Invalid request: missing q parameter");
  refused(translate({{"source", "zz"}}), 400, "zz is not supported");
  refused(translate({{"target", "zz"}}), 400, "zz is not supported");
  refused(translate({{"source", "auto"}, {"target", "zz"}}), 400, "zz is not supported");
  refused(translate({{"format", "markdown"}}), 400, "markdown format is not supported");
  refused(translate({{"source", "fr"}, {"target", "hi"}}), 400,
          "Hindi (hi) is not available as a target language from French (fr)");
  refused(translate({{"alternatives", 11}}), 400, "Invalid request: alternatives parameter must be <= 10");
  refused(translate({{"q", std::string(10001, 'x')}}), 400,
          "Invalid request: request (10001) exceeds text limit (10000)");
  refused(server().post("/detect", {{"q", std::string(10001, 'x')}}), 400,
          "Invalid request: request (10001) exceeds text limit (10000)");
  refused(translate({{"q", Json::array_t(129, kWantsMilk)}}), 400,
          "Invalid request: request (129) exceeds text limit (128)");
  refused(server().post("/suggest", question()), 403, "Suggestions are disabled on this server.");
  refused(server().post("/translate_file", question()), 403, "Files translation are disabled on this server.");
}

TEST_F(Refusals, OfTheWrongMethodNameTheRightOne) {
  for (const std::string path : {"/translate", "/detect"}) {
    const Answer answer = server().get(path);
    refused(answer, 405, "Method Not Allowed");
    EXPECT_TRUE(has(answer.head, "\r\nAllow: POST\r\n"));
  }
  for (const std::string path : {"/languages", "/frontend/settings", "/spec"}) {
    const Answer answer = server().post(path, Json::object());
    refused(answer, 405, "Method Not Allowed");
    EXPECT_TRUE(has(answer.head, "\r\nAllow: GET\r\n"));
  }
  EXPECT_EQ(server().get("/no-such-page").status, 404);
}

TEST_F(Refusals, OfTooManyRequestsSayWhenToComeBack) {
  const RunningServer slow(flags({"--requests-per-minute", "3"}));
  EXPECT_EQ(slow.post("/translate", question({{"q", {kWantsMilk, kWantsMilk, kWantsMilk}}})).status, 200);
  const Answer answer = slow.post("/translate", question());
  refused(answer, 429, "Slowdown: 3 per 1 minute");
  EXPECT_TRUE(has(answer.head, "\r\nRetry-After: "));
  const Answer deepl = slow.post("/v2/translate", {{"text", kWantsMilk}, {"target_lang", "EN"}});
  EXPECT_EQ(deepl.status, 429);
  EXPECT_EQ(deepl.json(), (Json{{"message", "Slowdown: 3 per 1 minute"}}));
  const Json openai = slow.post("/v1/completions", {{"model", "text"}, {"prompt", "I"}}).json();
  EXPECT_EQ(openai["error"]["type"], "rate_limit_error");
  EXPECT_EQ(slow.get("/languages").status, 200) << "costs nothing";
}

TEST_F(Refusals, OfUnknownKeysAreInTheWordsOfEachApi) {
  const TemporaryFolder temporary;
  const RunningServer guarded(
      flags({"--keys", temporary.write("keys", "# key, requests, characters\nopen-sesame 60 20\n")}));
  refused(guarded.post("/translate", question()), 400, "Please contact the server operator to get an API key");
  refused(guarded.post("/translate", question({{"api_key", "0123"}})), 403, "Invalid API key");
  const Json good_one = question({{"api_key", "open-sesame"}});
  EXPECT_EQ(good(guarded.post("/translate", good_one))["translatedText"], "I want milk");
  refused(guarded.post("/translate", question({{"api_key", "open-sesame"}, {"q", "123456789 123456789 1"}})), 400,
          "Invalid request: request (21) exceeds text limit (20)");
  EXPECT_EQ(good(guarded.get("/frontend/settings"))["keyRequired"], true);
  EXPECT_EQ(guarded.get("/languages").status, 200) << "needs no key";

  const std::string text = Json{{"text", {kWantsMilk}}, {"target_lang", "EN-US"}}.dump(), json = "application/json";
  const Answer forbidden = guarded.post("/v2/translate", json, text, "Authorization: DeepL-Auth-Key 0123\r\n");
  EXPECT_EQ(forbidden.status, 403);
  EXPECT_EQ(forbidden.json(), (Json{{"message", "Invalid API key"}}));
  EXPECT_EQ(guarded.post("/v2/translate", json, text, "Authorization: DeepL-Auth-Key open-sesame\r\n").status, 200);

  const Answer unknown = guarded.get("/v1/models");
  EXPECT_EQ(unknown.status, 401);
  EXPECT_EQ(unknown.json()["error"]["type"], "authentication_error");
  EXPECT_EQ(
      guarded.ask("GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer open-sesame\r\n\r\n").status,
      200);
}

TEST_F(Refusals, AreInDeepLsWords) {
  const auto message = [](const Json& body) {
    const Answer answer = server().post("/v2/translate", body);
    EXPECT_EQ(answer.status, 400) << answer.body;
    EXPECT_EQ(answer.json().size(), 1u);
    return answer.json()["message"].get<std::string>();
  };
  EXPECT_EQ(message({{"target_lang", "EN"}}), "Parameter 'text' not specified.");
  EXPECT_EQ(message({{"text", {kWantsMilk}}}), "Parameter 'target_lang' not specified.");
  EXPECT_EQ(message({{"text", {kWantsMilk}}, {"target_lang", "ZZ"}}), "Value for 'target_lang' not supported.");
  EXPECT_EQ(message({{"text", {kWantsMilk}}, {"target_lang", "EN"}, {"source_lang", "ZZ"}}),
            "Value for 'source_lang' not supported.");
  EXPECT_EQ(message({{"text", {kWantsMilk}}, {"target_lang", "EN"}, {"tag_handling", "rtf"}}),
            "Value for 'tag_handling' not supported.");
}

TEST_F(Refusals, AreInOpenAisFormAndOurs) {
  const auto error = [](const std::string& path, const Json& body, int status) {
    const Answer answer = server().post(path, body);
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_EQ(answer.json()["error"]["code"], status);
    return answer.json()["error"];
  };
  EXPECT_EQ(error("/v1/completions", {{"model", "none"}, {"prompt", "I"}}, 404)["type"], "not_found_error");
  const Json wrong_model = error("/v1/embeddings", {{"model", "text"}, {"input", "I"}}, 400);
  EXPECT_EQ(wrong_model["type"], "invalid_request_error");
  EXPECT_EQ(wrong_model["param"], "model");
  EXPECT_EQ(error("/v1/completions", {{"model", "text"}, {"temperature", 3}}, 400)["param"], "temperature");
  EXPECT_EQ(error("/v1/translate", {{"model", "hi-en"}}, 400)["param"], "q");
  EXPECT_EQ(error("/v1/score", {{"model", "hi-en"}, {"q", {"a", "b"}}, {"target", "c"}}, 400)["param"], "target");
  EXPECT_TRUE(
      has(error("/v1/translate", {{"model", "hi-en"}, {"q", kWantsMilk}, {"beam_size", 0}}, 400)["message"], "beam"));
}

}  // namespace
}  // namespace dhyan
