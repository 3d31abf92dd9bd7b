#include "server/job_queue.h"

#include <algorithm>

namespace dhyan::server {

namespace {

void call_done(const std::vector<std::shared_ptr<Job>>& over) {
  for (const std::shared_ptr<Job>& job : over) {
    if (job->done) job->done(*job);
  }
}

std::size_t bytes_of(const Job& job, std::size_t sentence) { return job.work ? 0 : job.sentences[sentence].size(); }

}  // namespace

bool JobQueue::add(std::shared_ptr<Job> job) {
  std::vector<std::shared_ptr<Job>> over;
  bool added = false;
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.size() >= limits_.max_jobs) remove_cancelled(over);
    added = !closed_ && jobs_.size() < limits_.max_jobs;
    if (added) {
      job->queued = Clock::now();
      job->results.resize(job->sentences.size());
      sentences_ += job->size();
      ++unfinished_;
      jobs_.push_back(std::move(job));
    }
  }
  call_done(over);
  if (!added) return false;
  changed_.notify_all();  // several workers share many sentences
  watched_.notify_one();
  return true;
}

// Counts these sentences as finished; a job without unfinished ones is over.
void JobQueue::end(const std::shared_ptr<Job>& job, std::size_t sentences, std::vector<std::shared_ptr<Job>>& over) {
  job->finished_ += sentences;
  if (job->finished_ < job->size()) return;
  --unfinished_;
  over.push_back(job);
}

void JobQueue::remove_cancelled(std::vector<std::shared_ptr<Job>>& over) {
  const auto now = Clock::now();
  std::erase_if(jobs_, [&](const std::shared_ptr<Job>& job) {
    job->cancel_if_late(now);
    if (!job->cancelled && job->size() > 0) return false;
    const std::size_t waiting = job->size() - job->taken_;
    sentences_ -= waiting;
    job->taken_ = job->size();
    end(job, waiting, over);
    return true;
  });
}

// Waiting and running sentences divided equally among the workers: two busy workers get batches of half of them, not
// one of half and one of a quarter.
std::size_t JobQueue::share() const { return (sentences_ + taken_ + limits_.workers - 1) / limits_.workers; }

// Goes round the jobs that may share a batch with the first in turn.
JobBatch JobQueue::next_batch() {
  JobBatch batch;
  if (jobs_.empty()) return batch;
  const std::size_t most = std::min(share(), limits_.max_batch_sentences);
  const std::string key = jobs_.front()->batch_key;
  const bool alone = static_cast<bool>(jobs_.front()->work);
  std::size_t bytes = 0;
  auto at = jobs_.begin();
  std::list<std::shared_ptr<Job>> served;  // go to the end of the line, in their order
  while (batch.parts.size() < most) {
    if (at == jobs_.end()) {
      if (served.empty()) break;  // nobody else may join
      jobs_.splice(jobs_.end(), served);
      at = std::ranges::find_if(jobs_, [&](const auto& job) { return !job->work && job->batch_key == key; });
      if (at == jobs_.end()) break;
    }
    const std::shared_ptr<Job>& job = *at;
    if (!batch.empty() && (alone || job->work || job->batch_key != key)) {
      ++at;
      continue;
    }
    bytes += bytes_of(*job, job->taken_);
    if (!batch.empty() && bytes > limits_.max_batch_bytes) break;
    batch.parts.push_back({job, job->taken_++});
    --sentences_;
    const auto next = std::next(at);
    job->taken_ == job->size() ? void(jobs_.erase(at)) : served.splice(served.end(), jobs_, at);
    at = next;
    if (alone) break;
  }
  jobs_.splice(jobs_.end(), served);
  taken_ += batch.parts.size();
  return batch;
}

JobBatch JobQueue::take(const Gathering& gathering) {
  while (true) {
    std::vector<std::shared_ptr<Job>> over;
    JobBatch batch;
    bool last = false;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_until(lock, gathering.until, [&] { return closed_ || sentences_ >= gathering.sentences; });
      changed_.wait(lock, [&] { return closed_ || !jobs_.empty(); });
      remove_cancelled(over);
      batch = next_batch();
      last = batch.empty() && closed_ && jobs_.empty();
    }
    call_done(over);
    if (!batch.empty() || last) return batch;
  }
}

JobBatch JobQueue::take_waiting() {
  std::vector<std::shared_ptr<Job>> over;
  JobBatch batch;
  {
    const std::lock_guard lock(mutex_);
    remove_cancelled(over);
    batch = next_batch();
  }
  call_done(over);
  return batch;
}

void JobQueue::watch() {
  constexpr std::chrono::milliseconds kPause(20);
  std::unique_lock lock(mutex_);
  while (!closed_) {
    watched_.wait(lock, [&] { return closed_ || !jobs_.empty(); });
    watched_.wait_for(lock, kPause, [&] { return closed_; });
    std::vector<std::shared_ptr<Job>> over;
    remove_cancelled(over);
    lock.unlock();
    call_done(over);
    over.clear();
    lock.lock();
  }
}

void JobQueue::finish(const JobBatch& batch, std::exception_ptr error) {
  std::vector<std::shared_ptr<Job>> over;
  {
    const std::lock_guard lock(mutex_);
    taken_ -= batch.parts.size();
    for (const JobBatch::Part& part : batch.parts) {
      if (error && !part.job->error) part.job->error = error;
      end(part.job, 1, over);
    }
  }
  call_done(over);
}

void JobQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  watched_.notify_all();
}

std::size_t JobQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

bool JobQueue::idle() const {
  const std::lock_guard lock(mutex_);
  return unfinished_ == 0;
}

}  // namespace dhyan::server
