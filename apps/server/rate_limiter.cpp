#include "server/rate_limiter.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <span>

namespace dhyan::server {

namespace {

using AddressBytes = std::array<std::uint8_t, 16>;
using Seconds = std::chrono::duration<double>;
constexpr Seconds kMinute(60), kLeastWait(1e-6);

std::string address_text(int family, const std::uint8_t* bytes) {
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(family, bytes, text, sizeof text);
  return text;
}

Seconds time_for(long cost, long per_minute) { return kMinute * (static_cast<double>(cost) / per_minute); }

// The wait of a client whose earlier requests have leaked out at `paid_at`.
std::chrono::seconds wait_until(RateLimiter::Clock::time_point paid_at, const RateLimiter::Request& request,
                                RateLimiter::Clock::time_point now) {
  const Seconds wait =
      (paid_at - now) + time_for(std::min(request.cost, request.per_minute), request.per_minute) - kMinute;
  return wait > kLeastWait ? std::chrono::ceil<std::chrono::seconds>(wait) : std::chrono::seconds(0);
}

}  // namespace

std::string client_of_address(std::string_view address) {
  const std::string plain(address.substr(0, address.find('%')));  // without the zone of a link-local address
  AddressBytes bytes{};
  if (inet_pton(AF_INET6, plain.c_str(), bytes.data()) != 1) return std::string(address);
  constexpr std::array<std::uint8_t, 12> kMappedIpv4{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (std::ranges::equal(kMappedIpv4, std::span(bytes).first<12>())) return address_text(AF_INET, bytes.data() + 12);
  std::fill(bytes.begin() + 8, bytes.end(), std::uint8_t{0});
  return address_text(AF_INET6, bytes.data()) + "/64";
}

std::chrono::seconds RateLimiter::retry_after(const Request& request, Clock::time_point now) {
  if (request.per_minute <= 0 || request.cost <= 0) return std::chrono::seconds(0);
  const std::lock_guard lock(mutex_);
  Client& client = remembered(request.client.substr(0, kMaxNameBytes), now);
  const auto paid_at = std::max(client.paid_at, now);
  const auto wait = wait_until(paid_at, request, now);
  if (wait != wait.zero()) return wait;
  client.paid_at = paid_at + std::chrono::duration_cast<Clock::duration>(time_for(request.cost, request.per_minute));
  forget(now);
  return wait;
}

std::chrono::seconds RateLimiter::wait_for_one(std::string_view client, long per_minute, Clock::time_point now) const {
  if (per_minute <= 0) return std::chrono::seconds(0);
  const std::lock_guard lock(mutex_);
  const auto known = by_name_.find(client.substr(0, kMaxNameBytes));
  if (known == by_name_.end()) return std::chrono::seconds(0);
  return wait_until(std::max(known->second->paid_at, now), {.client = client, .per_minute = per_minute}, now);
}

// Moves the client to the front; a new one is put there.
RateLimiter::Client& RateLimiter::remembered(std::string_view name, Clock::time_point now) {
  const auto known = by_name_.find(name);
  if (known != by_name_.end()) {
    clients_.splice(clients_.begin(), clients_, known->second);
  } else {
    clients_.push_front({std::string(name), now});
    by_name_.emplace(clients_.front().name, clients_.begin());
  }
  return clients_.front();
}

// Drops from the end who is over the limit of memory, or has leaked out and is thus as good as unknown.
void RateLimiter::forget(Clock::time_point now) {
  while (clients_.size() > max_clients_ || (!clients_.empty() && clients_.back().paid_at <= now)) {
    by_name_.erase(clients_.back().name);
    clients_.pop_back();
  }
}

std::size_t RateLimiter::clients() const {
  const std::lock_guard lock(mutex_);
  return clients_.size();
}

}  // namespace dhyan::server
