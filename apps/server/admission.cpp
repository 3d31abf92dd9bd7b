#include "server/admission.h"

#include <algorithm>

#include "server/header_value.h"
#include "server/site_rules.h"

namespace dhyan::server {

namespace {

// Programs of one API send their key in the form of another now and then, so each form is accepted everywhere.
std::string key_in_header(const HttpRequest& request) {
  const std::string_view header = request.header("authorization");
  const std::size_t space = std::min(header.find(' '), header.size());
  const std::string scheme = ascii_lowercase(header.substr(0, space));
  return scheme == "deepl-auth-key" || scheme == "bearer" ? std::string(trimmed(header.substr(space))) : "";
}

[[noreturn]] void refuse_key(Api api, bool given) {
  if (api == Api::kLibreTranslate && !given) {
    throw ApiError(400, "Please contact the server operator to get an API key", "api_key");
  }
  const bool forbidden = api == Api::kLibreTranslate || api == Api::kDeepL;
  throw ApiError(forbidden ? 403 : 401, given ? "Invalid API key" : "this server needs an API key");
}

}  // namespace

void Admission::set_keys(std::shared_ptr<const ApiKeys> keys) {
  const std::lock_guard lock(mutex_);
  keys_ = std::move(keys);
}

std::shared_ptr<const ApiKeys> Admission::keys() const {
  const std::lock_guard lock(mutex_);
  return keys_;
}

void Admission::check_site(Call& call) {
  const std::string_view host = call.http.header("host");  // none in HTTP/1.0: load balancers, but no browser
  if (!call.http.peer.empty() && !host.empty() && !is_own_host(host, options_.hosts)) {
    metrics_.rejected("host");
    throw ApiError(403, "this server does not go by that name; --allow-host adds one");
  }
  const std::string_view origin = call.http.header("origin");
  if (origin.empty() || is_same_origin(origin, host)) return;
  if (!is_allowed_origin(origin, options_.cors_origins)) {
    metrics_.rejected("origin");
    throw ApiError(403, "pages of other sites may not call this server; --cors allows one");
  }
  call.headers.emplace_back("Access-Control-Allow-Origin", origin);
  call.headers.emplace_back("Vary", "Origin");
  call.headers.emplace_back("Access-Control-Allow-Headers", "Authorization, Content-Type");
  call.headers.emplace_back("Access-Control-Allow-Methods", "GET, POST, OPTIONS");
}

void Admission::identify(Call& call) {
  call.max_characters = options_.max_characters;
  call.client = client_of_address(address_of_client(call.http, options_.trusted_proxies));
  call.requests_per_minute = options_.requests_per_minute;
  const auto needed = keys();
  const std::string key = needed == nullptr ? "" : key_in_header(call.http);
  key.empty() ? expect_not_over_limit(call) : use_key(call, *needed, key);
}

void Admission::identify_by_parameters(Call& call) {
  const auto needed = keys();
  if (needed != nullptr && !call.has_key) use_key(call, *needed, call.parameters.text("api_key").value_or(""));
}

void Admission::use_key(Call& call, const ApiKeys& keys, const std::string& key) {
  const std::optional<KeyLimits> limits = keys.find(key);
  if (!limits) {
    expect_not_over_limit(call);  // the address, for which wrong keys count
    refuse_key(call.api(), !key.empty());
  }
  call.has_key = true;
  call.client = cat("key ", key);
  call.requests_per_minute = limits->requests_per_minute;
  if (limits->characters > 0) call.max_characters = limits->characters;
  expect_not_over_limit(call);
}

void Admission::expect_not_over_limit(Call& call) {
  const auto wait = limiter_.wait_for_one(call.client, call.requests_per_minute, Clock::now());
  if (wait != wait.zero()) refuse_for_now(call, wait);
}

void Admission::admit(Call& call, std::size_t texts) {
  const auto wait = limiter_.retry_after({.client = call.client,
                                          .per_minute = call.requests_per_minute,
                                          .cost = static_cast<long>(std::max<std::size_t>(texts, 1))},
                                         Clock::now());
  if (wait != wait.zero()) refuse_for_now(call, wait);
  call.counted = true;
}

void Admission::count_failure(Call& call) {
  if (call.client.empty() || std::exchange(call.counted, true)) return;
  limiter_.retry_after({.client = call.client, .per_minute = call.requests_per_minute, .cost = 1}, Clock::now());
}

void Admission::refuse_for_now(Call& call, std::chrono::seconds wait) {
  call.counted = true;  // a refusal costs nothing, or a batch would wait forever
  metrics_.rejected("rate");
  ApiError slow(429, cat("Slowdown: ", call.requests_per_minute, " per 1 minute"));
  slow.retry_after = static_cast<int>(wait.count());
  throw slow;
}

}  // namespace dhyan::server
