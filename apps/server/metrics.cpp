#include "server/metrics.h"

#include <array>

namespace dhyan::server {

namespace {

constexpr std::array kSecondBounds{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0};
constexpr std::array kSentenceBounds{1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0};

}  // namespace

Metrics::Metrics() : queue_seconds_(kSecondBounds), batch_sentences_(kSentenceBounds), batch_seconds_(kSecondBounds) {}

void Metrics::request(std::string_view route, int code, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(route), code}];
  request_seconds_.try_emplace(std::string(route), kSecondBounds).first->second.observe(seconds);
}

void Metrics::queued(double seconds) {
  const std::lock_guard lock(mutex_);
  queue_seconds_.observe(seconds);
}

void Metrics::batch(std::uint64_t sentences, double seconds, std::uint64_t tokens) {
  const std::lock_guard lock(mutex_);
  batch_sentences_.observe(static_cast<double>(sentences));
  batch_seconds_.observe(seconds);
  tokens_ += tokens;
}

void Metrics::cancelled() {
  const std::lock_guard lock(mutex_);
  ++cancelled_;
}

void Metrics::rejected(std::string_view reason) {
  const std::lock_guard lock(mutex_);
  ++rejected_[std::string(reason)];
}

void Metrics::set_queue_depth(std::uint64_t requests) {
  const std::lock_guard lock(mutex_);
  queue_depth_ = requests;
}

void Metrics::set_open_connections(std::uint64_t connections) {
  const std::lock_guard lock(mutex_);
  open_connections_ = connections;
}

void Metrics::set_models(std::vector<MetricLabels> models) {
  const std::lock_guard lock(mutex_);
  models_ = std::move(models);
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  PrometheusText text;
  text.metric("dhyan_http_requests_total", "counter", "Requests answered, by route and status code.");
  for (const auto& [key, count] : requests_) {
    text.sample(count, {{"route", key.first}, {"code", std::to_string(key.second)}});
  }
  text.metric("dhyan_http_request_seconds", "histogram", "Seconds from a request's arrival to the end of its answer.");
  for (const auto& [route, seconds] : request_seconds_) text.sample(seconds, {{"route", route}});
  text.metric("dhyan_open_connections", "gauge", "Connections that are open.");
  text.sample(open_connections_);
  text.metric("dhyan_queue_depth", "gauge", "Requests that wait for a worker.");
  text.sample(queue_depth_);
  text.metric("dhyan_queue_seconds", "histogram", "Seconds that a sentence, or other work, waited for a worker.");
  text.sample(queue_seconds_);
  text.metric("dhyan_batch_sentences", "histogram", "Sentences in a batch.");
  text.sample(batch_sentences_);
  text.metric("dhyan_batch_seconds", "histogram", "Seconds that a batch took.");
  text.sample(batch_seconds_);
  text.metric("dhyan_tokens_total", "counter", "Tokens of translations, without those that are explained.");
  text.sample(tokens_);
  text.metric("dhyan_cancelled_total", "counter", "Requests whose client left before the answer.");
  text.sample(cancelled_);
  text.metric("dhyan_rejected_total", "counter", "Requests refused without work, by reason.");
  for (const auto& [reason, count] : rejected_) text.sample(count, {{"reason", reason}});
  text.metric("dhyan_model_info", "gauge", "Models that are served; always 1.");
  for (const MetricLabels& labels : models_) text.sample(1, labels);
  return text.take();
}

}  // namespace dhyan::server
