#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "server/http.h"

namespace dhyan::server {

// How an answer is written, which depends on its request.
struct AnswerForm {
  bool http_1_1 = true;    // pieces of a growing answer come as chunks; otherwise the connection's end is its end
  bool keep_alive = true;  // the connection serves further requests
  bool head_only = false;  // HEAD: the body is left out
};

// The bytes of one answer, between the threads that make it and the connection that sends it.
class HttpAnswer : public HttpExchange {
 public:
  // Tells the connection, from any thread, that the answer has grown.
  using Wake = std::function<void()>;

  HttpAnswer(AnswerForm form, std::size_t max_backlog, Wake wake);

  // The application's end of `answer`. If the application lets go of it without an answer, the connection learns.
  // `kept` lives as long as this end.
  static std::shared_ptr<HttpExchange> handle(std::shared_ptr<HttpAnswer> answer, std::shared_ptr<void> kept);

  void send(HttpResponse response) override;
  void begin(HttpResponse head) override;
  void write(std::string piece) override;
  void end() override;
  bool gone() const override { return gone_; }
  void when_gone(std::function<void()> left) override;

  // The connection's end, on the I/O thread.
  struct Progress {
    std::string bytes;       // to be sent now, at most kBlock
    bool whole = false;      // these were the last
    bool close = false;      // the connection ends with this answer
    bool dropped = false;    // there will be no more: the application gave up, or the client reads too slowly
    bool untouched = false;  // nothing of it was ever sent
  };
  static constexpr std::size_t kBlock = 64 << 10;
  Progress take();
  void sent(std::size_t bytes);  // bytes of take() that have left
  std::size_t backlog() const;   // bytes that have not left
  bool taken() const;            // a part of it
  bool whole() const;
  bool dropped() const;
  void close_after();  // the head, if it is not made yet, says that the connection ends
  void leave();        // the client has left

 private:
  void add(std::string_view bytes);
  void add_head(const HttpResponse& response, const std::string& framing);
  void finish();
  void abandon();

  mutable std::mutex mutex_;
  AnswerForm form_;
  const std::size_t max_backlog_;
  const Wake wake_;
  std::deque<std::string> blocks_;  // not yet taken; the thread that sends does not free megabytes at once
  std::size_t backlog_ = 0;         // bytes not yet sent, with those taken
  bool begun_ = false;
  bool taken_ = false;
  bool whole_ = false;
  bool dropped_ = false;
  bool has_body_ = true;
  std::atomic<bool> gone_ = false;
  std::function<void()> left_;
};

}  // namespace dhyan::server
