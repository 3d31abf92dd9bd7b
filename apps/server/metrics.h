#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/histogram.h"
#include "server/prometheus_text.h"

namespace dhyan::server {

// The counters behind /metrics. Any thread may call any method. Nothing in them comes from a client: a route is its
// entry in the table of routes, never the path that was sent.
class Metrics {
 public:
  Metrics();

  void request(std::string_view route, int code, double seconds);  // one that was answered
  void queued(double seconds);                                     // a request left the queue after that time
  void batch(std::uint64_t sentences, double seconds, std::uint64_t tokens);  // tokens: of all sentences, generated
  void cancelled();                                                           // a client left before its answer
  void rejected(std::string_view reason);                                     // "queue_full"

  void set_queue_depth(std::uint64_t requests);
  void set_open_connections(std::uint64_t connections);
  void set_models(std::vector<MetricLabels> models);  // of each model that is served: name, kind, languages

  std::string text() const;  // Prometheus text format 0.0.4

  static constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;  // by route and code
  std::map<std::string, Histogram, std::less<>> request_seconds_;  // by route
  std::map<std::string, std::uint64_t, std::less<>> rejected_;     // by reason
  Histogram queue_seconds_;
  Histogram batch_sentences_;
  Histogram batch_seconds_;
  std::uint64_t queue_depth_ = 0;
  std::uint64_t open_connections_ = 0;
  std::uint64_t tokens_ = 0;
  std::uint64_t cancelled_ = 0;
  std::vector<MetricLabels> models_;
};

}  // namespace dhyan::server
