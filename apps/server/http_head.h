#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/http.h"

namespace dhyan::server {

// Why a request is refused before the handler sees it.
struct HttpFault {
  int status = 400;
  std::string message;
};

// Looks for the end of a request's head, the empty line, as bytes arrive. It refuses what servers read in different
// ways, which is what request smuggling needs: bare CR or LF, folded lines, control characters.
class HeadScanner {
 public:
  // `bytes` is all that has arrived of the request. Returns the length of the head with its empty line.
  std::optional<std::size_t> find_end(std::string_view bytes);

  const std::optional<HttpFault>& fault() const { return fault_; }

 private:
  std::size_t scanned_ = 0;
  std::optional<HttpFault> fault_;
};

// Checks the fields Host, Content-Length, Transfer-Encoding and Expect. Beast 345 does not look at Host,
// takes "Transfer-Encoding: gzip" for no body at all, and accepts a Transfer-Encoding in HTTP/1.0.
std::optional<HttpFault> head_fault(const HttpRequest& request, bool http_1_1);

// Sets path and query. The host of an absolute target ("GET http://host/path") replaces the value of Host.
void set_target(HttpRequest& request, std::string_view target);

std::string ascii_lower(std::string_view text);

}  // namespace dhyan::server
