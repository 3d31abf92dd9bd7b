#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "server/http_server.h"

namespace dhyan::server {

// For tests: a server in a thread of its own. It echoes a request at once; requests for /later are kept
// until a test answers them.
class EchoServer {
 public:
  explicit EchoServer(const HttpLimits& limits = {})
      : server_(
            limits,
            [this](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
              take(std::move(request), std::move(exchange));
            },
            [](int status, std::string_view message) {
              HttpResponse page;
              page.status = status;
              page.body = cat("refused: ", message);
              return page;
            }),
        port_(server_.listen("127.0.0.1", 0)) {}
  ~EchoServer() { stop(); }

  EchoServer& start() {
    thread_ = std::thread([this] { server_.run(); });
    return *this;
  }
  void stop() {
    server_.stop();
    join();
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

  HttpServer& server() { return server_; }
  int port() const { return port_; }

  // The next request for /later that no test has taken.
  std::shared_ptr<HttpExchange> later() {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, std::chrono::seconds(10), [&] { return !kept_.empty(); })) {
      throw DataError("no request for /later came");
    }
    std::shared_ptr<HttpExchange> exchange = std::move(kept_.front());
    kept_.erase(kept_.begin());
    return exchange;
  }

 private:
  void take(HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
    if (request.path == "/throw") throw DataError("a handler's mistake");
    if (request.path == "/drop") return;
    if (request.path == "/later") {
      const std::lock_guard lock(mutex_);
      kept_.push_back(std::move(exchange));
      arrived_.notify_all();
      return;
    }
    HttpResponse response;
    response.content_type = "text/plain";
    response.body = cat(request.method, " ", request.path, " ", request.query, " [", request.body, "] ", request.peer);
    for (const auto& [name, value] : request.headers) response.body += cat("\n", name, "=", value);
    exchange->send(std::move(response));
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::shared_ptr<HttpExchange>> kept_;
  HttpServer server_;
  int port_;
  std::thread thread_;
};

// Whether `holds` becomes true within ten seconds.
template <class F>
bool soon(const F& holds) {
  for (int i = 0; i < 2000; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace dhyan::server
