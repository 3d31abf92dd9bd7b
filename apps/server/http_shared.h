#pragma once

#include <array>
#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "server/http_server.h"

// Only http_server.cpp includes this file, since it includes Boost.
namespace dhyan::server {

namespace asio = boost::asio;
using boost::system::error_code;
using Socket = asio::generic::stream_protocol::socket;
using Clock = std::chrono::steady_clock;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kReadSlice = 16 << 10;  // bytes read at once; chunks of one byte take the parser 0.3 ms

// The way to the I/O thread, which ends before the exchanges do.
class IoThread {
 public:
  explicit IoThread(asio::io_context& context) : context_(&context) {}

  // Runs f on the I/O thread: at once if this is that thread; never if the server is no more.
  template <class F>
  void run(F f) {
    {
      const std::lock_guard lock(mutex_);
      if (context_ == nullptr) return;
      if (!context_->get_executor().running_in_this_thread()) {
        asio::post(*context_, std::move(f));
        return;
      }
    }
    f();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
  }

 private:
  std::mutex mutex_;
  asio::io_context* context_;
};

// A part of the bytes that the server holds, counted as long as this lives. The sum may be read in any thread.
class HeldBytes {
 public:
  using Sum = std::shared_ptr<std::atomic<std::size_t>>;

  explicit HeldBytes(Sum sum, std::size_t bytes = 0) : sum_(std::move(sum)) { set(bytes); }
  ~HeldBytes() { set(0); }
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;

  void set(std::size_t bytes) { *sum_ += bytes - std::exchange(bytes_, bytes); }
  std::size_t bytes() const { return bytes_; }

 private:
  const Sum sum_;
  std::size_t bytes_ = 0;
};

class Connection;

// State that all connections share; used on the I/O thread.
struct Shared {
  Shared(const HttpLimits& limits_, HttpServer::Handler handler_, HttpServer::ErrorPage error_page_)
      : limits(limits_), handler(std::move(handler_)), error_page(std::move(error_page_)) {}

  const HttpLimits limits;
  const HttpServer::Handler handler;
  const HttpServer::ErrorPage error_page;
  asio::io_context context{1};
  asio::steady_timer sweep{context};
  std::shared_ptr<IoThread> io = std::make_shared<IoThread>(context);
  std::unordered_map<const Connection*, std::shared_ptr<Connection>> connections;
  std::atomic<std::size_t> open = 0;
  const HeldBytes::Sum held = std::make_shared<std::atomic<std::size_t>>(0);  // of requests and answers
  std::array<char, kReadSlice> received;                                      // by the read that runs
  bool draining = false;
};

}  // namespace dhyan::server
