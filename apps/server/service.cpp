#include "server/service.h"

#include <algorithm>
#include <iostream>

#include "server/openapi.h"

namespace dhyan::server {

namespace {

constexpr int kLeastTaskThreads = 2;
int task_threads(int translating) { return translating == 0 ? 0 : std::max(kLeastTaskThreads, translating / 4); }

constexpr int kRetrySeconds = 2;  // after a full queue, which empties at the speed of translating

// Answers with the exception that is being handled. What a client did wrong is named; of what went wrong here only the
// log tells, and no exception about files or models contains text of a request.
void fail_with_current_exception(Call& call) {
  try {
    throw;
  } catch (const ApiError& error) {
    call.fail(error);
  } catch (const UsageError& error) {
    call.fail(ApiError(400, error.what()));
  } catch (const DataError& error) {
    call.fail(ApiError(400, error.what()));
  } catch (const Error& error) {
    std::cerr << cat("dhyan: ", call.http.path, ": ", error.what(), '\n');
    call.fail(ApiError(500, "the server has a problem with its model; its log tells more"));
  } catch (const std::exception& error) {
    std::cerr << cat("dhyan: ", call.http.path, ": ", error.what(), '\n');
    call.fail(ApiError(500, "the server failed"));
  }
}

const Route* route_of(std::string_view method, std::string_view path, bool& known_path) {
  const Route* found = nullptr;
  for (const Route& route : routes()) {
    if (route.path != path) continue;
    known_path = true;
    if (found == nullptr || route.method == method) found = &route;
  }
  return found;
}

std::string methods_of(std::string_view path) {
  std::string methods;
  for (const Route& route : routes()) {
    if (route.path == path) methods += cat(methods.empty() ? "" : ", ", route.method);
  }
  return methods;
}

}  // namespace

Service::Service(ServiceOptions options)
    : options_(std::move(options)),
      openapi_(openapi_json(options_)),
      known_(openapi_),
      admission_(options_, metrics_),
      queue_({.max_jobs = options_.max_waiting, .workers = static_cast<std::size_t>(std::max(options_.threads, 1))}),
      tasks_(task_threads(options_.threads)),
      workers_(queue_, options_.threads, [this](const BatchReport& report) {
        metrics_.batch(report.sentences, report.seconds, report.tokens);
        for (const double seconds : report.waited) metrics_.queued(seconds);
      }) {}

Service::~Service() { finish(); }

void Service::finish() {
  queue_.close();
  workers_.join();
}

void Service::load() {
  auto keys = options_.keys_file.empty() ? nullptr : std::make_shared<const ApiKeys>(options_.keys_file);
  auto models = std::make_shared<const ModelSet>(options_.models);
  std::vector<MetricLabels> labels;
  for (const auto& model : models->all()) {
    labels.push_back({{"name", model->name()},
                      {"kind", std::string(model->config().model)},
                      {"source", model->source_language()},
                      {"target", model->target_language()}});
  }
  metrics_.set_models(std::move(labels));
  if (keys != nullptr && keys->size() == 0) {
    std::cerr << cat("dhyan: warning: ", options_.keys_file, ": the file has no keys, so no client gets in\n");
  }
  const std::lock_guard lock(mutex_);
  models_.swap(models);  // the old ones are destroyed after the lock, for which the I/O thread may wait
  admission_.set_keys(std::move(keys));
}

void Service::reload() { load(); }

std::shared_ptr<const ModelSet> Service::models() const {
  const std::lock_guard lock(mutex_);
  if (models_ != nullptr) return models_;
  ApiError loading(503, "the models are being loaded");
  loading.retry_after = kRetrySeconds;
  throw loading;
}

void Service::answer_health(Call& call) const {
  bool ready = false;
  {
    const std::lock_guard lock(mutex_);
    ready = models_ != nullptr && !draining_;
  }
  if (ready) return call.answer({.body = R"({"status":"ok"})"});
  call.answer({.status = 503, .body = draining_ ? R"({"status":"draining"})" : R"({"status":"loading"})"});
}

void Service::handle(HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
  if (request.path.size() > 1 && request.path.ends_with('/')) request.path.pop_back();
  bool known_path = false;
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  const Route* route = route_of(method, request.path, known_path);
  const auto call =
      std::make_shared<Call>(std::move(request), std::move(exchange), route == nullptr ? "other" : route->path,
                             route == nullptr ? Api::kDhyan : route->api, metrics_);
  try {
    admission_.check_site(*call);
    if (!known_path) throw ApiError(404, "there is no such page; /openapi.json lists all");
    if (call->http.method == "OPTIONS") return call->answer({.status = 204});
    if (route->method != method) {
      call->headers.emplace_back("Allow", methods_of(route->path));
      throw ApiError(405, "Method Not Allowed");
    }
    if (route->path == "/livez") return call->answer({.body = R"({"status":"ok"})"});
    if (route->path == "/health") return answer_health(*call);
  } catch (...) {
    return fail_with_current_exception(*call);
  }
  tasks_.post([this, route, call] { run(*route, call); });
}

void Service::run(const Route& route, const std::shared_ptr<Call>& call) {
  if (call->exchange().gone()) return metrics_.cancelled();
  try {
    if (route.public_access) {
      call->parameters = Parameters::of_query(call->http);
    } else {
      admission_.identify(*call);
      call->parameters = Parameters::of(call->http);
      admission_.identify_by_parameters(*call);
      known_.expect_known(route.path, call->parameters);
      if (load_checkpoint_for(route, call)) return;
    }
    route.handle(*this, call);
  } catch (...) {
    admission_.count_failure(*call);
    fail_with_current_exception(*call);
  }
}

bool Service::load_checkpoint_for(const Route& route, const std::shared_ptr<Call>& call) {
  const std::string name = call->parameters.text("model").value_or("");
  if (name.find('@') == name.npos || !models()->must_load(name)) return false;
  const auto loaded = std::make_shared<std::shared_ptr<const ServedModel>>();  // stays until it is used
  const auto job = std::make_shared<Job>();
  job->work = [models = models(), name, loaded](const std::function<void()>&) { *loaded = models->named(name); };
  submit(call, job, [this, &route, call, loaded](Job&) { route.handle(*this, call); });
  return true;
}

void Service::admit(Call& call, std::size_t texts) {
  if (texts > options_.max_items) {
    throw ApiError(400, cat("Invalid request: request (", texts, ") exceeds text limit (", options_.max_items, ")"));
  }
  admission_.admit(call, texts);
}

void Service::count_characters_of(const std::string& client, std::int64_t characters) {
  const std::lock_guard lock(mutex_);
  characters_[admission_.needs_key() ? client : ""] += characters;
}

std::int64_t Service::characters_of(const std::string& client) const {
  const std::lock_guard lock(mutex_);
  const auto counted = characters_.find(admission_.needs_key() ? client : "");
  return counted == characters_.end() ? 0 : counted->second;
}

void Service::submit(const std::shared_ptr<Call>& call, const std::shared_ptr<Job>& job,
                     std::function<void(Job& job)> finished) {
  const auto limit = std::chrono::duration<double>(options_.deadline_seconds);
  job->deadline = call->arrived() + std::chrono::duration_cast<Clock::duration>(limit);
  job->done = [this, call, finished = std::move(finished), weak = std::weak_ptr(job)](Job&) {
    tasks_.post([this, call, finished, over = weak.lock()] { end(call, *over, finished); });
  };
  if (!queue_.add(job)) {
    metrics_.rejected("queue_full");
    ApiError full(503, "the server has too much to do");
    full.retry_after = kRetrySeconds;
    throw full;
  }
  call->exchange().when_gone([weak = std::weak_ptr(job)] {
    if (const auto left = weak.lock()) left->cancelled = true;
  });
  if (options_.threads == 0) workers_.work_here();
}

void Service::end(const std::shared_ptr<Call>& call, Job& job, const std::function<void(Job&)>& finished) {
  try {
    if (job.expired) throw ApiError(504, cat("not done within ", options_.deadline_seconds, " seconds"));
    if (job.cancelled) return metrics_.cancelled();
    if (job.error) std::rethrow_exception(job.error);
    finished(job);
  } catch (...) {
    admission_.count_failure(*call);
    fail_with_current_exception(*call);
  }
}

}  // namespace dhyan::server
