#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/testing/echo_server.h"
#include "server/testing/kept_exchange.h"
#include "server/testing/small_models.h"

namespace dhyan::server {
namespace {

using nlohmann::json;

// An exchange whose client leaves when it is told to.
class LeavingExchange final : public HttpExchange {
 public:
  void send(HttpResponse) override { answered_ = true; }
  void begin(HttpResponse) override { answered_ = true; }
  void write(std::string) override {}
  void end() override {}
  bool gone() const override { return false; }
  void when_gone(std::function<void()> told) override {
    const std::lock_guard lock(mutex_);
    told_ = std::move(told);
  }

  void leave() {
    const std::lock_guard lock(mutex_);
    told_();
  }
  bool waits() const {
    const std::lock_guard lock(mutex_);
    return told_ && !answered_;
  }

 private:
  mutable std::mutex mutex_;
  std::function<void()> told_;
  std::atomic<bool> answered_ = false;
};

HttpRequest translation_of(const json& body) {
  return {.method = "POST",
          .path = "/v1/translate",
          .query = {},
          .headers = {{"content-type", "application/json"}, {"host", "localhost"}},
          .body = body.dump(),
          .peer = "127.0.0.1"};
}

// A request that takes seconds. Those with different beams share no batch.
std::shared_ptr<LeavingExchange> ask_for_much(Service& service, int beam_size) {
  const auto exchange = std::make_shared<LeavingExchange>();
  service.handle(translation_of({{"model", "rnn"},
                                 {"q", std::vector<std::string>(32, "मैं खाना खा रहा हूँ")},
                                 {"beam_size", beam_size},
                                 {"min_length", 1000},
                                 {"max_length", 1024}}),
                 exchange);
  return exchange;
}

TEST(ServiceLeaving, ClientsWhoseRequestIsQueuedOrDecodedAreDroppedAndCounted) {
  const SmallModels models;
  ServiceOptions options;
  options.models = models.specs();
  options.requests_per_minute = 0;
  options.threads = 1;
  Service service(options);
  service.load();
  const auto counted = [&](std::string_view line) { return service.metrics().text().find(line) != std::string::npos; };
  const json little = {{"model", "rnn"}, {"q", "तुम पानी पी रही हो"}};
  const HttpResponse before = ask(service, translation_of(little));
  EXPECT_EQ(before.status, 200) << before.body;
  const std::string text = service.metrics().text();
  const std::size_t tokens = text.find("\ndhyan_tokens_total ");
  const std::string tokens_before = text.substr(tokens, text.find('\n', tokens + 1) + 1 - tokens);

  const auto decoded = ask_for_much(service, 32);
  ASSERT_TRUE(soon([&] { return decoded->waits() && service.waiting() == 0; }));
  const auto queued = ask_for_much(service, 31);
  ASSERT_TRUE(soon([&] { return queued->waits() && service.waiting() == 1; }));
  queued->leave();
  EXPECT_TRUE(soon([&] { return counted("\ndhyan_cancelled_total 1\n"); }));
  EXPECT_TRUE(decoded->waits()) << "the other is still decoded";
  decoded->leave();
  EXPECT_TRUE(soon([&] { return counted("\ndhyan_cancelled_total 2\n"); }));
  EXPECT_TRUE(decoded->waits() && queued->waits()) << "nobody was answered";
  EXPECT_TRUE(counted(tokens_before)) << "no batch was decoded to its end: " << tokens_before;
  EXPECT_EQ(ask(service, translation_of(little)).body, before.body);
}

}  // namespace
}  // namespace dhyan::server
