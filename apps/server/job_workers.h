#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "server/job_queue.h"

namespace dhyan::server {

// Size and time of a batch, for metrics; reported by several threads at once.
struct BatchReport {
  std::size_t sentences = 0;
  std::size_t tokens = 0;  // written
  double seconds = 0;
  std::vector<double> waited = {};  // seconds that each sentence waited in the queue
};

// Threads that work on the jobs of a queue until it is closed and empty. Without threads, work_here() does it.
class JobWorkers {
 public:
  JobWorkers(JobQueue& queue, int threads, std::function<void(const BatchReport&)> report);
  ~JobWorkers();  // join()

  void join();  // the queue must be closed; waits

  void work_here();  // on all jobs that wait, in this thread

 private:
  void work();
  Gathering do_batch(const JobBatch& batch);  // what to wait for before the next

  JobQueue& queue_;
  std::function<void(const BatchReport&)> report_;
  std::vector<std::thread> threads_;
};

// Thrown inside of a job that nobody waits for any more.
struct JobCancelled {};

}  // namespace dhyan::server
