#pragma once

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "server/job.h"

namespace dhyan::server {

// Sentences that are translated together, and the jobs they belong to.
struct JobBatch {
  struct Part {
    std::shared_ptr<Job> job;
    std::size_t sentence = 0;
  };
  std::vector<Part> parts;

  bool empty() const { return parts.empty(); }
};

struct QueueLimits {
  std::size_t max_jobs = 256;            // that wait
  std::size_t max_batch_sentences = 32;  // 64 would be hardly faster, and short requests wait twice as long
  std::size_t max_batch_bytes = 16384;   // of text; a single sentence may have more
  std::size_t workers = 1;               // sentences are shared out among them
};

// Clients that have just got their answers often ask again at once. A worker that answered many waits a moment for that
// number of sentences, instead of beginning with the first that comes.
struct Gathering {
  std::size_t sentences = 0;
  Clock::time_point until = {};
};

// Jobs that wait for a worker. Each batch takes one sentence of every job in turn, so that a short request does not
// wait for all sentences of a long one. Thread-safe.
class JobQueue {
 public:
  explicit JobQueue(const QueueLimits& limits) : limits_(limits) {}

  // False if the queue is full or closed; the job's `done` is then not called. Jobs that were cancelled make room.
  bool add(std::shared_ptr<Job> job);

  // Waits for work, and for more of it as `gathering` says. Empty once the queue is closed and nothing waits.
  JobBatch take(const Gathering& gathering = {});

  JobBatch take_waiting();  // without waiting; empty if no job waits

  // The batch is done, or failed; calls `done` of the jobs whose last sentence this was.
  void finish(const JobBatch& batch, std::exception_ptr error = {});

  // Until the queue is closed: calls `done` of jobs that are cancelled, or late, while they wait. Without it they are
  // over only when a worker is free.
  void watch();

  void close();  // no more jobs; those that wait are still worked on

  std::size_t waiting() const;  // jobs with sentences that no worker has taken
  bool idle() const;            // no job waits or is worked on
  bool full() const { return waiting() >= limits_.max_jobs; }

 private:
  void remove_cancelled(std::vector<std::shared_ptr<Job>>& over);
  std::size_t share() const;
  JobBatch next_batch();
  void end(const std::shared_ptr<Job>& job, std::size_t sentences, std::vector<std::shared_ptr<Job>>& over);

  QueueLimits limits_;
  mutable std::mutex mutex_;
  std::condition_variable changed_, watched_;  // for workers, for watch()
  std::list<std::shared_ptr<Job>> jobs_;       // with sentences to take, the next in turn first
  std::size_t sentences_ = 0;                  // that wait
  std::size_t taken_ = 0;                      // sentences that are worked on
  std::size_t unfinished_ = 0;                 // jobs
  bool closed_ = false;
};

}  // namespace dhyan::server
