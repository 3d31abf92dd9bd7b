#pragma once

#include <atomic>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "server/api_error.h"
#include "server/http.h"
#include "server/job.h"
#include "server/metrics.h"
#include "server/parameters.h"

namespace dhyan::server {

using JsonAnswer = nlohmann::ordered_json;  // keys stay in the order of writing

// The APIs that programs know. They differ in where a key is and in how errors look. kPage is what a browser shows, and
// no API: /openapi.json does not describe it.
enum class Api { kLibreTranslate, kDeepL, kOpenAi, kDhyan, kPage };

// The body of an error: {"error": "…"}, {"message": "…"}, {"error": {"message": …}}.
std::string error_body(Api api, const ApiError& error);

// JSON for the wire: bytes that are not UTF-8 are replaced.
std::string json_text(const JsonAnswer& json);

// One request on its way to an answer. The answer is given once, from any thread.
class Call {
 public:
  Call(HttpRequest http, std::shared_ptr<HttpExchange> exchange, std::string_view route, Api api, Metrics& metrics)
      : http(std::move(http)), exchange_(std::move(exchange)), route_(route), api_(api), metrics_(metrics) {}

  const HttpRequest http;
  Parameters parameters = {};
  std::string client = {};       // who pays for it: a key, or an address
  long max_characters = 0;       // of this client; 0: any number
  long characters = 0;           // of the texts that were checked
  long requests_per_minute = 0;  // likewise
  bool has_key = false;          // the client is that of a key
  bool counted = false;          // for the limit of requests
  HttpFields headers = {};       // added to the answer, such as those of CORS
  Api api() const { return api_; }

  void answer(HttpResponse response);
  void answer_json(const JsonAnswer& json);
  void fail(const ApiError& error);

  // An answer of server-sent events. A failure after its beginning is an event, and the last.
  void begin_events();
  void event(const std::string& data);
  void end_events();

  HttpExchange& exchange() { return *exchange_; }
  Clock::time_point arrived() const { return begin_; }

 private:
  void count(int status);

  std::shared_ptr<HttpExchange> exchange_;
  std::string_view route_;
  Api api_;
  Metrics& metrics_;
  Clock::time_point begin_ = Clock::now();
  std::atomic<bool> streams_ = false;
};

}  // namespace dhyan::server
