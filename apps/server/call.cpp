#include "server/call.h"

#include <nlohmann/json.hpp>

namespace dhyan::server {

namespace {

// The names of OpenAI's API, which ours shares.
std::string_view type_of(int status) {
  switch (status) {
    case 401:
    case 403:
      return "authentication_error";
    case 404:
      return "not_found_error";
    case 429:
      return "rate_limit_error";
    default:
      return status < 500 ? "invalid_request_error" : "server_error";
  }
}

}  // namespace

std::string json_text(const JsonAnswer& json) {
  return json.dump(-1, ' ', false, JsonAnswer::error_handler_t::replace);
}

std::string error_body(Api api, const ApiError& error) {
  if (api == Api::kLibreTranslate) return json_text({{"error", error.what()}});
  if (api == Api::kDeepL) return json_text({{"message", error.what()}});
  const JsonAnswer param = error.parameter().empty() ? JsonAnswer() : JsonAnswer(error.parameter());
  return json_text(
      {{"error",
        {{"code", error.status()}, {"type", type_of(error.status())}, {"message", error.what()}, {"param", param}}}});
}

void Call::count(int status) {
  metrics_.request(route_, status, std::chrono::duration<double>(Clock::now() - begin_).count());
}

void Call::answer(HttpResponse response) {
  count(response.status);
  response.headers.insert(response.headers.end(), headers.begin(), headers.end());
  exchange_->send(std::move(response));
}

void Call::answer_json(const JsonAnswer& json) { answer({.body = json_text(json)}); }

void Call::fail(const ApiError& error) {
  if (streams_) {
    event(error_body(api_, error));
    return end_events();
  }
  HttpResponse response{.status = error.status(), .body = error_body(api_, error)};
  if (error.retry_after) response.headers.emplace_back("Retry-After", std::to_string(*error.retry_after));
  answer(std::move(response));
}

void Call::begin_events() {
  HttpResponse head{.content_type = "text/event-stream"};
  head.headers = headers;
  head.headers.emplace_back("Cache-Control", "no-store");
  streams_ = true;
  exchange_->begin(std::move(head));
}

void Call::event(const std::string& data) { exchange_->write(cat("data: ", data, "\n\n")); }

void Call::end_events() {
  count(200);
  exchange_->end();
}

}  // namespace dhyan::server
