#pragma once

#include <functional>
#include <string>

#include "server/http_server.h"
#include "server/service.h"

namespace dhyan::server {

struct ServerOptions {
  ServiceOptions service = {};
  HttpLimits http = {};
  std::string host = "127.0.0.1";
  int port = 8080;               // 0: any free one
  std::string unix_socket = {};  // beside TCP; empty: none
  double drain_seconds = 30;     // for answers in progress, after SIGTERM
};

// Serves until SIGTERM or SIGINT: then /health says 503, no connection is taken, and answers in progress are sent. A
// second signal, or drain_seconds later, ends it at once. Sockets that systemd hands over (socket_activation.h) are
// listened on instead of host and port. SIGHUP loads models and keys again. `listening` gets the addresses before
// the models are loaded, `ready` is called after. Throws what loading throws. Blocks these signals in the calling
// thread and in those it starts.
void serve(const ServerOptions& options,
           const std::function<void(const std::vector<std::string>& addresses)>& listening,
           const std::function<void(const ModelSet& models)>& ready);

}  // namespace dhyan::server
