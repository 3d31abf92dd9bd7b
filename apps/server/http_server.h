#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/http.h"

namespace dhyan::server {

struct HttpLimits {
  std::size_t max_body = 1 << 20;
  std::size_t max_header = 16 << 10;
  std::size_t max_connections = 2048;
  std::size_t max_backlog = 4 << 20;  // bytes of a growing answer that the client has not taken
  std::size_t max_held = 256 << 20;   // bytes of all requests and answers; a connection alone may have more
  double request_seconds = 10;        // from a request's first byte, or from the connection, to its last byte
  double idle_seconds = 75;           // between requests
  double write_seconds = 30;          // for each 64 KB of an answer; for a whole one, these
  double write_rate = 64 << 10;       // and a second more for so many bytes
  double linger_seconds = 2;          // after the last answer, for the client to close its side
};

// HTTP/1.0 and 1.1 on TCP and UNIX sockets, in one thread. It refuses what is malformed, too large or too slow, and
// hands on the rest.
class HttpServer {
 public:
  // Called on the I/O thread; must not wait. An exchange that is dropped without an answer becomes a 500.
  using Handler = std::function<void(HttpRequest, std::shared_ptr<HttpExchange>)>;
  // The answer to what the server itself refuses: 400, 408, 413, 414, 417, 431, 500, 503. Called on the I/O thread.
  using ErrorPage = std::function<HttpResponse(int status, std::string_view message)>;

  HttpServer(const HttpLimits& limits, Handler handler, ErrorPage error_page);
  ~HttpServer();  // not while run() runs
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Before run(). Throw an IoError if the address is taken or impossible.
  int listen(const std::string& host, int port);  // port 0: any free one; returns the port
  void listen_unix(const std::string& path);      // replaces a socket file that nobody listens to
  std::string listen_on(int descriptor);          // an inherited socket that listens; returns its address

  void run();  // until stop(), or until the last answer of a drain(); once

  // From any thread, but not from a signal handler.
  void drain();  // takes no new connections, closes idle ones, sends the answers in progress
  void stop();   // closes every connection
  std::size_t open_connections() const;

 private:
  struct Service;
  std::unique_ptr<Service> service_;
};

}  // namespace dhyan::server
