#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dhyan::server {

using HttpFields = std::vector<std::pair<std::string, std::string>>;

// A request, whole.
struct HttpRequest {
  std::string method;  // "GET"
  std::string path;    // as it was sent, without the query
  std::string query;   // what follows the first "?", as it was sent
  HttpFields headers;  // names in lower case
  std::string body;
  std::string peer;  // address of the other side; empty for a UNIX socket

  std::string_view header(std::string_view lower_case_name) const;  // the first of that name; empty if there is none
};

struct HttpResponse {
  int status = 200;
  std::string body = {};
  std::string content_type = "application/json";
  HttpFields headers = {};
};

// The answer to one request. Any thread may call it; bytes sent after the client has left are dropped.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;

  virtual void send(HttpResponse response) = 0;  // once, and then no more

  // An answer that grows: the head (its body is ignored), then pieces, then the end.
  virtual void begin(HttpResponse head) = 0;
  virtual void write(std::string piece) = 0;
  virtual void end() = 0;

  virtual bool gone() const = 0;  // the client has left, or the server is going down

  // Calls `left` once when the client leaves before its answer is sent, from the I/O thread, which must not wait; at
  // once if it has left already.
  virtual void when_gone(std::function<void()> left) = 0;
};

}  // namespace dhyan::server
