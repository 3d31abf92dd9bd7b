// Routes about the server itself: health, metrics, documentation.
#include "server/route_handlers.h"

namespace dhyan::server {

void handle_metrics(Service& service, const std::shared_ptr<Call>& call) {
  Metrics& metrics = service.metrics();
  metrics.set_queue_depth(service.waiting());
  call->answer({.body = metrics.text(), .content_type = std::string(Metrics::kContentType)});
}

void handle_openapi(Service& service, const std::shared_ptr<Call>& call) { call->answer({.body = service.openapi()}); }

}  // namespace dhyan::server
