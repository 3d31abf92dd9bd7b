#pragma once

#include <memory>
#include <mutex>

#include "server/api_keys.h"
#include "server/call.h"
#include "server/rate_limiter.h"
#include "server/service_options.h"

namespace dhyan::server {

// Decides whether a request is allowed: by its site, its key and its rate. Any thread may use it.
class Admission {
 public:
  Admission(const ServiceOptions& options, Metrics& metrics) : options_(options), metrics_(metrics) {}

  void set_keys(std::shared_ptr<const ApiKeys> keys);  // null: none is needed
  bool needs_key() const { return keys() != nullptr; }

  // ApiError, 403, for a Host or an Origin that is not allowed; adds the headers of CORS.
  void check_site(Call& call);

  // Identifies the client and its limits by address and headers. This comes before the parameters are read,
  // so that a client that is over its limit does not have them read. ApiError: 400, 401, 403 for a wrong key, 429.
  void identify(Call& call);

  // Takes the key from the parameters if one is needed and no header had it.
  void identify_by_parameters(Call& call);

  // ApiError, 429, unless the client may send so many texts now; they count.
  void admit(Call& call, std::size_t texts);

  // A request that was refused for another reason counts as one.
  void count_failure(Call& call);

 private:
  std::shared_ptr<const ApiKeys> keys() const;
  void use_key(Call& call, const ApiKeys& keys, const std::string& key);
  void expect_not_over_limit(Call& call);
  [[noreturn]] void refuse_for_now(Call& call, std::chrono::seconds wait);

  const ServiceOptions& options_;
  Metrics& metrics_;
  RateLimiter limiter_;
  mutable std::mutex mutex_;
  std::shared_ptr<const ApiKeys> keys_;
};

}  // namespace dhyan::server
