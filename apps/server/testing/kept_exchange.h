#pragma once

#include <chrono>
#include <condition_variable>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>

#include "server/service.h"

namespace dhyan::server {

// For tests: an exchange without a socket, which keeps the answer.
class KeptExchange final : public HttpExchange {
 public:
  void send(HttpResponse response) override {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(response);
    finish();
  }
  void begin(HttpResponse head) override {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(head);
    answer_.body.clear();
  }
  void write(std::string piece) override {
    const std::lock_guard lock(mutex_);
    answer_.body += piece;
  }
  void end() override {
    const std::lock_guard lock(mutex_);
    finish();
  }
  bool gone() const override { return false; }
  void when_gone(std::function<void()>) override {}

  // The whole answer; the test fails if none comes within 20 seconds.
  HttpResponse wait() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(over_.wait_for(lock, std::chrono::seconds(20), [&] { return finished_; })) << "no answer";
    return answer_;
  }

 private:
  void finish() {
    finished_ = true;
    over_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable over_;
  HttpResponse answer_;
  bool finished_ = false;
};

// The service's answer to a request from this machine.
inline HttpResponse ask(Service& service, HttpRequest request) {
  request.headers.emplace_back("host", "localhost");
  request.peer = "127.0.0.1";
  const auto exchange = std::make_shared<KeptExchange>();
  service.handle(std::move(request), exchange);
  return exchange->wait();
}

}  // namespace dhyan::server
