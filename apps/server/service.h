#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/admission.h"
#include "server/call.h"
#include "server/job_queue.h"
#include "server/job_workers.h"
#include "server/known_names.h"
#include "server/model_set.h"
#include "server/service_options.h"
#include "server/task_threads.h"

namespace dhyan::server {

class Service;

// A row of the table of routes.
struct Route {
  std::string_view method;
  std::string_view path;
  Api api;
  bool public_access;  // without a key, not counted; its body is not read
  void (*handle)(Service& service, const std::shared_ptr<Call>& call);
};

// All that answers requests: models, the queue and its workers, keys, limits, metrics. The transport calls handle().
class Service {
 public:
  explicit Service(ServiceOptions options);
  ~Service();

  void load();    // the models and keys; /health says 503 before
  void reload();  // again; what was loaded stays if the new does not load, and the reason is thrown

  // From the I/O thread: returns at once, unless the service has no threads.
  void handle(HttpRequest request, std::shared_ptr<HttpExchange> exchange);

  // /health says 503 from now on; requests are still answered.
  void drain() { draining_ = true; }
  std::size_t waiting() const { return queue_.waiting(); }  // requests in the queue

  // Ends the threads that translate, when the transport has ended.
  void finish();

  // For routes.
  const ServiceOptions& options() const { return options_; }
  std::shared_ptr<const ModelSet> models() const;  // ApiError, 503, while they are loaded
  Metrics& metrics() { return metrics_; }
  const std::string& openapi() const { return openapi_; }  // the description of all routes

  // Queues a job for a call. Errors and deadlines are answered here; otherwise `finished` gives the answer, in the
  // threads of tasks, where it may throw ApiError. A job whose client leaves is cancelled.
  void submit(const std::shared_ptr<Call>& call, const std::shared_ptr<Job>& job,
              std::function<void(Job& job)> finished);

  // ApiError unless the client may send so many texts now; they count for the limit of requests.
  void admit(Call& call, std::size_t texts);

  // Characters that a client had translated since the start, for those that are billed.
  void count_characters_of(const std::string& client, std::int64_t characters);
  std::int64_t characters_of(const std::string& client) const;

 private:
  void answer_health(Call& call) const;
  void run(const Route& route, const std::shared_ptr<Call>& call);
  // Whether the request names a checkpoint that must be loaded first. A worker does so, and the route comes after.
  bool load_checkpoint_for(const Route& route, const std::shared_ptr<Call>& call);
  void end(const std::shared_ptr<Call>& call, Job& job, const std::function<void(Job&)>& finished);

  ServiceOptions options_;
  const std::string openapi_;
  const KnownParameters known_;
  Metrics metrics_;
  mutable std::mutex mutex_;
  std::shared_ptr<const ModelSet> models_;
  std::map<std::string, std::int64_t> characters_;  // by key; without keys, of all together
  std::atomic<bool> draining_ = false;
  Admission admission_;
  JobQueue queue_;
  TaskThreads tasks_;
  JobWorkers workers_;
};

// The routes of all APIs.
std::span<const Route> routes();

}  // namespace dhyan::server
