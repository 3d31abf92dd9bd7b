#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace dhyan::server {

// The client that an address without a key counts for: an IPv4 address, or the first 64 bits of an IPv6 address, which
// providers give to one customer. Text that is not an address is its own client.
std::string client_of_address(std::string_view address);

// Admits N requests a minute of each client: a leaky bucket (GCRA). A client that was silent for a minute may send N at
// once; then one more every 60/N seconds. Any thread may call it.
class RateLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kMaxClients = 65536;
  static constexpr std::size_t kMaxNameBytes = 128;  // of a client; the rest of a longer name does not count

  // With more clients than `max_clients`, those whose last request is oldest are forgotten.
  explicit RateLimiter(std::size_t max_clients = kMaxClients) : max_clients_(max_clients) {}

  struct Request {
    std::string_view client;  // a key, or client_of_address()
    long per_minute = 0;      // 0: any number
    long cost = 1;            // the number of texts in a batch
  };

  // Zero: it is admitted, and counts. Otherwise the seconds after which it would be, from 1. A request that costs more
  // than `per_minute` is admitted after a silent minute, and delays the next ones accordingly.
  std::chrono::seconds retry_after(const Request& request, Clock::time_point now);

  // Seconds after which one request would be admitted; it does not count. 0: now.
  std::chrono::seconds wait_for_one(std::string_view client, long per_minute, Clock::time_point now) const;

  std::size_t clients() const;  // remembered

 private:
  struct Client {
    std::string name;
    Clock::time_point paid_at;  // when the requests admitted so far have leaked out
  };
  using Clients = std::list<Client>;

  Client& remembered(std::string_view name, Clock::time_point now);
  void forget(Clock::time_point now);

  const std::size_t max_clients_;
  mutable std::mutex mutex_;
  Clients clients_;                                                  // the one that asked last is first
  std::unordered_map<std::string_view, Clients::iterator> by_name_;  // views of their names
};

}  // namespace dhyan::server
