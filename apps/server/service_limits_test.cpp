// Requests that a service refuses, and the work it does first.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/testing/kept_exchange.h"
#include "server/testing/small_models.h"

namespace dhyan::server {
namespace {

using nlohmann::json;

class ServiceLimits : public testing::Test {
 protected:
  static void SetUpTestSuite() { models_ = new SmallModels; }
  static void TearDownTestSuite() { delete std::exchange(models_, nullptr); }

  static ServiceOptions options(long requests_per_minute = 0) {
    ServiceOptions options;
    options.models = models_->specs();
    options.requests_per_minute = requests_per_minute;
    return options;
  }
  static HttpRequest post(const std::string& path, const std::string& body) {
    return {.method = "POST",
            .path = path,
            .query = {},
            .headers = {{"content-type", "application/json"}},
            .body = body,
            .peer = {}};
  }
  static HttpResponse answer(Service& service, const std::string& path, const json& body) {
    return ask(service, post(path, body.dump()));
  }

  static inline SmallModels* models_ = nullptr;
};

const json kTranslate = {{"q", "मैं खाना"}, {"source", "hi"}, {"target", "en"}};

TEST_F(ServiceLimits, AClientOverItsLimitHasNothingRead) {
  Service service(options(2));
  service.load();
  EXPECT_EQ(answer(service, "/translate", kTranslate).status, 200);
  EXPECT_EQ(answer(service, "/translate", kTranslate).status, 200);
  EXPECT_EQ(answer(service, "/translate", kTranslate).status, 429);
  EXPECT_EQ(ask(service, post("/translate", R"({"q":)")).status, 429) << "not 400: it is not read";
}

TEST_F(ServiceLimits, RequestsThatFailCountForTheLimit) {
  Service service(options(3));
  service.load();
  EXPECT_EQ(ask(service, post("/translate", R"({"q":)")).status, 400);
  EXPECT_EQ(answer(service, "/v1/translate", {{"q", "मैं"}, {"model", "none"}}).status, 404);
  EXPECT_EQ(answer(service, "/v1/translate", {{"q", "मैं"}, {"model", "rnn@99"}}).status, 404);
  EXPECT_EQ(answer(service, "/translate", kTranslate).status, 429);
}

TEST_F(ServiceLimits, OurOwnRoutesRefuseParametersThatTheyDoNotHave) {
  Service service(options());
  service.load();
  const auto refused = [](const HttpResponse& answer) {
    EXPECT_EQ(answer.status, 400) << answer.body;
    return json::parse(answer.body)["error"];
  };
  const std::string message = "there is no parameter 'beam_sise'";
  std::size_t checked = 0;
  for (const Route& route : routes()) {
    if (route.api != Api::kDhyan || route.public_access) continue;
    HttpRequest request = post(std::string(route.path), "");
    request.method = route.method, request.query = "beam_sise=3";
    const json error = refused(ask(service, request));
    EXPECT_EQ(error["param"], "beam_sise") << route.path;
    EXPECT_TRUE(error["message"].get<std::string>().starts_with(message)) << error;
    ++checked;
  }
  EXPECT_EQ(checked, 8U);
  const auto refused_text = [&](const std::string& path, const json& body) {
    return refused(answer(service, path, body))["message"].get<std::string>();
  };
  EXPECT_EQ(refused_text("/v1/translate", {{"q", "मैं"}, {"beam_sise", nullptr}}),
            message + "; did you mean 'beam_size'?");
  EXPECT_EQ(refused_text("/v1/score", {{"q", "मैं"}, {"target", "I"}, {"beam_size", 3}}),
            "there is no parameter 'beam_size'");
  EXPECT_EQ(refused_text("/v1/translate", {{std::string(1 << 20, 'q'), 1}}),
            "there is no parameter with a name of 1048576 bytes");
  HttpRequest file = post("/v1/caption",
                          "--b\r\nContent-Disposition: form-data; name=\"imgae\"; filename=\"a\"\r\n\r\n"
                          "x\r\n--b--\r\n");
  file.headers.front().second = "multipart/form-data; boundary=b";
  EXPECT_EQ(refused(ask(service, file))["message"], "there is no parameter 'imgae'; did you mean 'image'?");
}

TEST_F(ServiceLimits, ParametersThatAreDescribedOrOfOtherApisAreTaken) {
  Service service(options());
  service.load();
  EXPECT_EQ(answer(service, "/v1/translate", {{"q", "मैं"}, {"api_key", nullptr}, {"beam_size", 2}}).status, 200);
  json more = kTranslate;
  more["beam_sise"] = 3;
  EXPECT_EQ(answer(service, "/translate", more).status, 200);
  EXPECT_EQ(answer(service, "/v2/translate", {{"text", {"मैं"}}, {"target_lang", "en"}, {"beam_sise", 3}}).status, 200);
  EXPECT_EQ(answer(service, "/v1/completions", {{"prompt", "I"}, {"max_tokens", 1}, {"beam_sise", 3}}).status, 200);
}

TEST_F(ServiceLimits, AFileWithoutKeysIsWarnedOfWheneverItIsRead) {
  ServiceOptions with_keys = options();
  with_keys.keys_file = models_->folder().write("keys", "# nobody yet\n");
  Service service(with_keys);
  const std::string warning =
      cat("dhyan: warning: ", with_keys.keys_file, ": the file has no keys, so no client gets in\n");
  const auto told_by = [](const auto& load) {
    testing::internal::CaptureStderr();
    load();
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(told_by([&] { service.load(); }), warning);
  models_->folder().write("keys", "good 0 0\n");
  EXPECT_EQ(told_by([&] { service.reload(); }), "");
  models_->folder().write("keys", "");
  EXPECT_EQ(told_by([&] { service.reload(); }), warning);
}

TEST_F(ServiceLimits, ARefusedBatchIsAdmittedWhenItSaid) {
  Service service(options(600));
  service.load();
  json batch = kTranslate;
  batch["q"] = std::vector<std::string>(100, "मैं");
  for (int i = 0; i < 6; ++i) EXPECT_EQ(answer(service, "/translate", batch).status, 200);
  for (int i = 0; i < 50; ++i) {
    const HttpResponse refused = answer(service, "/translate", batch);
    EXPECT_EQ(refused.status, 429);
    ASSERT_EQ(refused.headers.front().first, "Retry-After");
    EXPECT_LE(std::stoi(refused.headers.front().second), 10) << "refusals cost nothing";
  }
}

TEST_F(ServiceLimits, WrongKeysCountForTheAddressAndNotForOtherKeys) {
  ServiceOptions with_keys = options(2);
  with_keys.keys_file = models_->folder().write("keys", "good 0 0\n");
  Service service(with_keys);
  service.load();
  const auto with_key = [&](const std::string& key) {
    HttpRequest request = post("/v1/translate", R"({"q": "मैं"})");
    request.headers.emplace_back("authorization", key);
    return ask(service, request).status;
  };
  EXPECT_EQ(with_key("Bearer a"), 401);
  EXPECT_EQ(with_key("Bearer b"), 401);
  EXPECT_EQ(with_key("Bearer c"), 429);
  EXPECT_EQ(with_key("Bearer good"), 200);
  EXPECT_EQ(with_key("bearer  good"), 200) << "schemes have no case";
}

TEST_F(ServiceLimits, TheBodyOfARequestForAPublicPageIsNotRead) {
  Service service(options());
  service.load();
  HttpRequest request = post("/languages", R"({"q":)");
  request.method = "GET";
  EXPECT_EQ(ask(service, request).status, 200);
}

TEST_F(ServiceLimits, AForeignHostIsRefusedAndNoHostIsNot) {
  Service service(options());
  const auto status_for = [&](HttpFields headers) {
    const auto exchange = std::make_shared<KeptExchange>();
    service.handle({.method = "GET",
                    .path = "/livez",
                    .query = {},
                    .headers = std::move(headers),
                    .body = {},
                    .peer = "127.0.0.1"},
                   exchange);
    return exchange->wait().status;
  };
  EXPECT_EQ(status_for({}), 200) << "HTTP/1.0";
  EXPECT_EQ(status_for({{"host", "localhost:8080"}}), 200);
  EXPECT_EQ(status_for({{"host", "evil.example"}}), 403);
}

TEST_F(ServiceLimits, OneRequestCannotAskForTheWholeMachine) {
  Service service(options());
  service.load();
  const auto refused = [&](const std::string& path, json body, const std::string& message) {
    body["q"] = "मैं";
    const HttpResponse answer = ServiceLimits::answer(service, path, body);
    EXPECT_EQ(answer.status, 400) << answer.body;
    EXPECT_EQ(json::parse(answer.body)["error"]["message"], message);
  };
  refused("/v1/translate", {{"beam_size", 33}}, "beam_size is 33, expected at most 32");
  refused("/v1/explain", {{"beam_size", 1000}}, "beam_size is 1000, expected at most 32");
  refused("/v1/translate", {{"beam_size", 2}, {"max_length", 1025}}, "max_length is 1025, expected at most 1024");
  EXPECT_EQ(answer(service, "/v1/translate", {{"q", "मैं"}, {"beam_size", 32}}).status, 200);
}

TEST_F(ServiceLimits, EveryTextOfARequestCountsForItsCharacters) {
  Service service(options());
  service.load();
  const auto message = [&](const std::string& path, const json& body) {
    const HttpResponse refused = answer(service, path, body);
    EXPECT_EQ(refused.status, 400) << refused.body;
    return json::parse(refused.body)["error"].value("message", "");
  };
  const std::string half(5000, 'a');
  const std::string too_long = "Invalid request: request (10001) exceeds text limit (10000)";
  for (const char* name : {"prefix", "required", "forbidden"}) {
    EXPECT_EQ(message("/v1/translate", {{"q", half}, {name, {half + "a"}}}), too_long) << name;
    EXPECT_EQ(message("/v1/translate", {{"q", "a"}, {name, {std::string(1, '\0')}}}),
              "a text contains a NUL character");
  }
  for (const char* name : {"target", "prefix"}) {
    EXPECT_EQ(message("/v1/explain", {{"q", half}, {name, half + "a"}}), too_long) << name;
  }
  EXPECT_EQ(message("/v1/explain", {{"q", half}, {"forbidden", {half + "a"}}}), too_long);
  EXPECT_EQ(message("/v1/score", {{"q", half}, {"target", half + "a"}}), too_long);
  EXPECT_EQ(
      message("/v1/translate", {{"q", std::vector<std::string>(100, "a")}, {"required", {std::string(100, 'a')}}}),
      "Invalid request: request (10100) exceeds text limit (10000)")
      << "each text has a copy of the phrase";
}

TEST_F(ServiceLimits, OneLanguageDoesNotChooseAModel) {
  Service service(options());
  service.load();
  for (const auto& [given, missing] :
       {std::pair("source_lang", "target_lang"), std::pair("target_lang", "source_lang")}) {
    const HttpResponse refused = answer(service, "/v1/translate", {{"q", "a"}, {given, "hi"}});
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(json::parse(refused.body)["error"]["param"], missing);
  }
}

TEST_F(ServiceLimits, ARequestHasFewPhrases) {
  Service service(options());
  service.load();
  const auto message = [&](const json& body) {
    const HttpResponse refused = answer(service, "/v1/translate", body);
    EXPECT_EQ(refused.status, 400) << refused.body;
    return json::parse(refused.body)["error"].value("message", "");
  };
  const std::vector<std::string> phrases(101, "a");
  EXPECT_EQ(message({{"q", "a"}, {"required", phrases}}), "required has 101 phrases, expected at most 100");
  EXPECT_EQ(message({{"q", {"a", "b"}}, {"required", {{"a"}, phrases}}}),
            "required has 101 phrases, expected at most 100");
  EXPECT_EQ(message({{"q", "a"}, {"forbidden", phrases}}), "forbidden has 101 phrases, expected at most 100");
  EXPECT_EQ(message({{"q", std::vector<std::string>(129, "a")}, {"prefix", "a"}}),
            "Invalid request: request (129) exceeds text limit (128)")
      << "before anything is made of each";
}

TEST_F(ServiceLimits, FewTagsAreIgnored) {
  Service service(options());
  service.load();
  json asked = {{"text", "<b>a</b>"}, {"target_lang", "EN"}, {"tag_handling", "xml"}};
  asked["ignore_tags"] = std::vector<std::string>(100, "b");
  EXPECT_EQ(answer(service, "/v2/translate", asked).status, 200);
  asked["ignore_tags"].push_back("b,b");
  const HttpResponse refused = answer(service, "/v2/translate", asked);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(json::parse(refused.body)["message"], "ignore_tags has 102 names, expected at most 100");
}

TEST_F(ServiceLimits, AStreamThatIsRefusedHasAStatusThatSaysSo) {
  ServiceOptions late = options();
  late.deadline_seconds = 1e-9;
  Service service(late);
  service.load();
  EXPECT_EQ(answer(service, "/v1/translate", {{"q", "मैं"}, {"stream", true}}).status, 504);
}

TEST_F(ServiceLimits, AFullQueueIsToldToTryAgain) {
  ServiceOptions none = options();
  none.max_waiting = 0;
  Service service(none);
  service.load();
  for (const bool stream : {false, true}) {
    const HttpResponse full = answer(service, "/v1/translate", {{"q", "मैं"}, {"stream", stream}});
    EXPECT_EQ(full.status, 503);
    EXPECT_EQ(full.headers.front(), std::pair(std::string("Retry-After"), std::string("2")));
  }
}

}  // namespace
}  // namespace dhyan::server
