// The definitions of http_connection.h; only http_server.cpp includes this file.
#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>
#include <exception>
#include <utility>

#include "server/http_connection.h"

namespace dhyan::server {

constexpr std::size_t kReadAhead = 64 << 10;  // bytes of the next requests that are read while one is answered

inline Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

inline void Connection::start() {
  deadline_ = after(shared_.limits.request_seconds);
  start_reading();
}

inline void Connection::refuse(int status, std::string_view message) {
  phase_ = Phase::kAnswering;
  refused_ = true;
  requests_.clear();
  AnswerForm form;
  form.keep_alive = false;
  answer_ = std::make_shared<HttpAnswer>(form, shared_.limits.max_backlog, [] {});
  try {
    HttpResponse page = shared_.error_page(status, message);
    if (status == 503) page.headers.emplace_back("Retry-After", "1");
    answer_->send(std::move(page));
    hold();
    take_more();
    flush();
  } catch (...) {  // no page, no answer
    hang_up();
  }
}

inline void Connection::expire() {
  if (phase_ == Phase::kReceiving) {
    refuse(408, "the request did not arrive in time");
  } else {
    hang_up();
  }
}

inline void Connection::drain() {
  if (answer_) answer_->close_after();
  if (phase_ != Phase::kIdle || received_something()) return;
  if (served_) {
    hang_up();
  } else {
    deadline_ = std::min(deadline_, after(1));
  }
}

inline void Connection::hang_up() {
  if (phase_ == Phase::kClosed) return;
  const std::shared_ptr<Connection> self = shared_from_this();
  phase_ = Phase::kClosed;
  held_.set(0);
  error_code ignored;
  socket_.close(ignored);
  shared_.connections.erase(this);
  shared_.open = shared_.connections.size();
  if (shared_.connections.empty()) shared_.sweep.cancel();
  if (answer_) answer_->leave();
}

inline void Connection::spawn(asio::awaitable<void> work) {
  asio::co_spawn(socket_.get_executor(), std::move(work), [self = shared_from_this()](std::exception_ptr failed) {
    if (failed) self->hang_up();
  });
}

inline bool Connection::received_something() {
  error_code ignored;
  return socket_.available(ignored) > 0;
}

inline asio::awaitable<void> Connection::read() {
  while (phase_ != Phase::kClosed && (phase_ != Phase::kAnswering || requests_.waiting() < kReadAhead)) {
    // Bytes go through one buffer that connections share, so a silent one costs little memory.
    const auto [failed] = co_await socket_.async_wait(Socket::wait_read, kAwait);
    if (phase_ == Phase::kClosed) co_return;
    error_code error = failed;
    const std::size_t bytes = error ? 0 : socket_.read_some(asio::buffer(shared_.received), error);
    if (error == asio::error::would_block || error == asio::error::interrupted) continue;
    if (error) {
      client_ended(error);
      co_return;
    }
    if (phase_ == Phase::kLingering || refused_) continue;
    requests_.add({shared_.received.data(), bytes});
    advance();
    hold();
    if (phase_ == Phase::kReceiving && too_much_held()) refuse(503, "too many large requests at a time");
  }
  reading_ = false;
}

inline void Connection::client_ended(error_code error) {
  if (error == asio::error::eof && phase_ == Phase::kAnswering && answer_->whole()) {
    requests_.clear();
    answer_->close_after();
    ended_ = true;
  } else {
    hang_up();
  }
}

inline void Connection::hold() {
  if (phase_ != Phase::kClosed) held_.set(requests_.held() + (answer_ ? answer_->backlog() : 0));
}

inline bool Connection::too_much_held() const {
  return *shared_.held > shared_.limits.max_held && *shared_.held > held_.bytes() + handed_on_;
}

inline void Connection::advance() {
  if (phase_ != Phase::kIdle && phase_ != Phase::kReceiving) return;
  const bool whole = requests_.advance();
  if (const auto& fault = requests_.fault()) return refuse(fault->status, fault->message);
  if (phase_ == Phase::kIdle && requests_.begun()) {
    phase_ = Phase::kReceiving;
    deadline_ = after(shared_.limits.request_seconds);
  }
  if (requests_.expects_continue()) {
    output_ += "HTTP/1.1 100 Continue\r\n\r\n";
    flush();
  }
  if (whole) hand_on();
}

inline void Connection::hand_on() {
  phase_ = Phase::kAnswering;
  deadline_ = Clock::time_point::max();
  served_ = true;
  auto wake = [io = shared_.io, weak = weak_from_this()] {
    io->run([weak] {
      if (const auto self = weak.lock()) self->send_more();
    });
  };
  AnswerForm form = requests_.form();
  form.keep_alive = form.keep_alive && !shared_.draining;
  answer_ = std::make_shared<HttpAnswer>(form, shared_.limits.max_backlog, std::move(wake));
  try {
    HttpRequest request = requests_.take();
    request.peer = peer_;
    handed_on_ = request.body.size();
    auto held = std::make_shared<HeldBytes>(shared_.held, handed_on_);  // until the application lets go of the request
    shared_.handler(std::move(request), HttpAnswer::handle(answer_, std::move(held)));
  } catch (...) {
    // The exchange went with the stack, which has become a 500.
  }
}

inline void Connection::limit_answer() {
  if (refused_ || answer_->backlog() <= HttpAnswer::kBlock || !too_much_held()) return;
  answer_->leave();
  if (answer_->taken()) {
    hang_up();
  } else {
    refuse(503, "too many large answers at a time");
  }
}

inline void Connection::send_more() {
  if (phase_ != Phase::kAnswering) return;
  hold();
  limit_answer();
  if (phase_ == Phase::kAnswering && (!writing_ || answer_->dropped())) take_more();
  if (phase_ == Phase::kAnswering) flush();
}

inline void Connection::take_more() {
  HttpAnswer::Progress made = answer_->take();
  if (made.dropped) return made.untouched ? refuse(500, "the request was not answered") : hang_up();
  whole_ = made.whole;
  close_ = made.close;
  output_ += made.bytes;
}

inline void Connection::flush() {
  if (writing_) return;
  writing_ = true;
  spawn(write());
}

// A client that takes each block as late as it may does not hold a large answer for hours.
inline Clock::time_point Connection::write_deadline() const {
  const double limit = shared_.limits.write_seconds;
  const double spent = std::chrono::duration<double>(writing_time_).count();
  return after(std::min(limit, limit + static_cast<double>(written_) / shared_.limits.write_rate - spent));
}

inline asio::awaitable<void> Connection::write() {
  while (!output_.empty()) {
    const std::string bytes = std::exchange(output_, {});
    write_deadline_ = write_deadline();
    const auto begin = Clock::now();
    const auto [error, count] = co_await asio::async_write(socket_, asio::buffer(bytes), kAwait);
    if (error) hang_up();
    if (phase_ == Phase::kClosed) co_return;
    if (!answer_) continue;
    answer_->sent(count);
    written_ += count;
    writing_time_ += Clock::now() - begin;
    hold();
    if (phase_ == Phase::kAnswering && !whole_) take_more();
  }
  writing_ = false;
  write_deadline_ = Clock::time_point::max();
  if (phase_ == Phase::kAnswering && whole_) answered();
}

inline void Connection::answered() {
  answer_.reset();
  whole_ = false;
  handed_on_ = 0;
  written_ = 0;
  writing_time_ = {};
  hold();
  if (ended_) return hang_up();
  if (close_ || shared_.draining) {
    phase_ = Phase::kLingering;
    deadline_ = after(shared_.limits.linger_seconds);
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
  } else {
    phase_ = Phase::kIdle;
    deadline_ = after(shared_.limits.idle_seconds);
    advance();
  }
  start_reading();
}

inline void Connection::start_reading() {
  if (reading_ || phase_ == Phase::kClosed) return;
  reading_ = true;
  spawn(read());
}

}  // namespace dhyan::server
