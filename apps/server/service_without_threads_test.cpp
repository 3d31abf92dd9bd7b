#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

#include "server/testing/kept_exchange.h"
#include "server/testing/small_models.h"

namespace dhyan::server {
namespace {

using nlohmann::json;

// Notes in which thread it is answered.
class HereExchange final : public HttpExchange {
 public:
  explicit HereExchange(bool leaves = false) : leaves_(leaves) {}

  void send(HttpResponse response) override { begin(response), write(std::move(response.body)), end(); }
  void begin(HttpResponse head) override { answer = std::move(head), answer.body.clear(); }
  void write(std::string piece) override { answer.body += piece; }
  void end() override { by = std::this_thread::get_id(); }
  bool gone() const override { return false; }
  void when_gone(std::function<void()> left) override {
    if (leaves_) left();
  }

  HttpResponse answer = {};
  std::thread::id by = {};

 private:
  bool leaves_;
};

HttpRequest question(const std::string& path, const json& body) {
  return {.method = "POST",
          .path = path,
          .query = {},
          .headers = {{"content-type", "application/json"}, {"host", "localhost"}},
          .body = body.dump(),
          .peer = "127.0.0.1"};
}

class ServiceWithoutThreads : public testing::Test {
 protected:
  ServiceOptions options(int threads) const {
    ServiceOptions options;
    options.models = models_.specs();
    options.threads = threads;
    return options;
  }

  SmallModels models_;
};

TEST_F(ServiceWithoutThreads, AnswersAsOneWithThreadsBeforeHandleReturns) {
  Service here(options(0)), elsewhere(options(2));
  here.load(), elsewhere.load();
  const std::vector<std::string> texts = {"मैं खाना", "तुम पानी पी रही हो"};
  const std::pair<std::string, json> questions[] = {
      {"/v1/translate", {{"q", texts}, {"model", "rnn"}}},
      {"/v1/explain", {{"q", texts[0]}, {"model", "transformer"}, {"include", {"attention", "energies"}}}},
      {"/v1/explain", {{"q", texts[0]}, {"beam_sise", 3}}},
      {"/v1/translate", {{"q", texts[0]}, {"model", "none"}}}};
  for (const auto& [path, body] : questions) {
    const auto exchange = std::make_shared<HereExchange>();
    here.handle(question(path, body), exchange);
    EXPECT_EQ(exchange->by, std::this_thread::get_id()) << path;
    const HttpResponse other = ask(elsewhere, question(path, body));
    EXPECT_EQ(exchange->answer.status, other.status) << exchange->answer.body;
    EXPECT_EQ(exchange->answer.body, other.body);
  }
}

TEST_F(ServiceWithoutThreads, StreamsEverySentence) {
  Service service(options(0));
  service.load();
  const auto exchange = std::make_shared<HereExchange>();
  service.handle(question("/v1/translate", {{"q", "मैं। तुम।"}, {"model", "rnn"}, {"stream", true}}), exchange);
  EXPECT_EQ(exchange->answer.content_type, "text/event-stream");
  EXPECT_NE(exchange->answer.body.find("\"sentence_index\":1"), std::string::npos) << exchange->answer.body;
  EXPECT_TRUE(exchange->answer.body.ends_with("data: [DONE]\n\n"));
  EXPECT_EQ(service.waiting(), 0U);
}

TEST_F(ServiceWithoutThreads, DropsAClientThatHasLeftAndGoesOn) {
  Service service(options(0));
  service.load();
  const HttpRequest translate = question("/v1/translate", {{"q", "मैं"}, {"model", "rnn"}});
  const auto left = std::make_shared<HereExchange>(true), next = std::make_shared<HereExchange>();
  service.handle(translate, left);
  service.handle(translate, next);
  EXPECT_EQ(left->by, std::thread::id());
  EXPECT_EQ(next->answer.status, 200) << next->answer.body;
}

}  // namespace
}  // namespace dhyan::server
