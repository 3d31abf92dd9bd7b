#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "server/http_answer.h"
#include "server/http_shared.h"
#include "server/request_reader.h"  // configures Boost

// Only http_server.cpp includes this file, since it includes Boost.
namespace dhyan::server {

// Reads requests one after the other; the next is handed on when the answer to the one before has been sent.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Shared& shared, Socket socket, std::string peer)
      : shared_(shared),
        socket_(std::move(socket)),
        peer_(std::move(peer)),
        held_(shared.held),
        requests_(shared.limits) {}

  void start();

  // Answers with the caller's error page and ends the connection.
  void refuse(int status, std::string_view message);
  bool late(Clock::time_point now) const { return now >= deadline_ || now >= write_deadline_; }

  void expire();

  // New connections get a second to send the request that may be on its way.
  void drain();
  void hang_up();

 private:
  enum class Phase {
    kIdle,       // no byte of a request yet
    kReceiving,  // a part of a request
    kAnswering,
    kLingering,  // all is sent; what still arrives is thrown away, since closing would make the kernel reset
                 // the connection, and the client might lose the answer
    kClosed
  };

  void spawn(asio::awaitable<void> work);
  bool received_something();
  asio::awaitable<void> read();

  // A client that closes its side has left, although it could still read (shutdown(SHUT_WR)): the two look the same,
  // and programs that leave are common. It still gets an answer that is already made.
  void client_ended(error_code error);

  // Counts the bytes that this connection has read and those of its answer that have not left.
  void hold();

  // Whether all connections together hold more than they may, and this one is not alone.
  bool too_much_held() const;

  // Hands on the next request if it is whole and its turn has come.
  void advance();
  void hand_on();
  void send_more();

  // Refuses a large answer, or ends it if it has begun, if all connections together hold too much.
  void limit_answer();

  // Takes the next bytes of the answer; ends the connection, or refuses, if there will be no more.
  void take_more();
  void flush();
  Clock::time_point write_deadline() const;
  asio::awaitable<void> write();
  void answered();
  void start_reading();

  Shared& shared_;
  Socket socket_;
  const std::string peer_;
  Phase phase_ = Phase::kIdle;
  Clock::time_point deadline_ = Clock::time_point::max();
  Clock::time_point write_deadline_ = Clock::time_point::max();
  bool served_ = false;   // a request was handed on
  bool refused_ = false;  // what still arrives is thrown away
  bool reading_ = false;  // read() runs
  bool writing_ = false;  // write() runs
  bool ended_ = false;    // the client has closed its side
  bool whole_ = false;    // output_ has the end of the answer
  bool close_ = false;    // after this answer

  std::size_t handed_on_ = 0;          // bytes of the request that is being answered
  std::size_t written_ = 0;            // bytes of its answer
  Clock::duration writing_time_ = {};  // in which they left
  HeldBytes held_;

  RequestReader requests_;
  std::shared_ptr<HttpAnswer> answer_;
  std::string output_;  // not yet given to write()
};

}  // namespace dhyan::server
