#include "server/job_workers.h"

#include <algorithm>

#include "kernels/simd/runtime.h"

namespace dhyan::server {

namespace {

constexpr int kGatheringShare = 8;  // of the time of a batch is the time to gather the next
constexpr std::chrono::milliseconds kLongestGathering(10);

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

void do_work(Job& job) {
  job.work([&] {
    job.cancel_if_late(Clock::now());
    if (job.cancelled) throw JobCancelled();
  });
}

// Sentences of several jobs; those that are cancelled leave at the next step, and the others do not notice.
void translate(const JobBatch& batch) {
  const Job& first = *batch.parts.front().job;
  TranslationOptions options = first.options;
  std::vector<std::string> lines;
  for (const auto& [job, sentence] : batch.parts) {
    lines.push_back(job->sentences[sentence]);
    options.constraints.push_back(job->constraints.empty() ? LineConstraints() : job->constraints[sentence]);
    options.cancelled.push_back(&job->cancelled);
    options.seeds.push_back({.seed = options.seed, .line = 0});  // as if it came alone
  }
  const auto poll = [&] {
    const auto now = Clock::now();
    bool wanted = false;
    for (const JobBatch::Part& part : batch.parts) {
      part.job->cancel_if_late(now);
      wanted |= !part.job->cancelled;
    }
    if (!wanted) throw JobCancelled();
  };
  auto translations = first.translator->translate_with(lines, options, {.poll = poll});
  for (std::size_t i = 0; i < batch.parts.size(); ++i) {
    const auto& [job, sentence] = batch.parts[i];
    if (job->cancelled) continue;
    job->results[sentence] = std::move(translations[i]);
    if (job->sentence_done) job->sentence_done(*job, sentence);
  }
}

std::size_t tokens_in(const JobBatch& batch) {
  std::size_t tokens = 0;
  for (const auto& [job, sentence] : batch.parts) {
    if (job->work || job->results[sentence].empty()) continue;
    tokens += job->results[sentence].front().hypothesis.tokens.size();
  }
  return tokens;
}

// After a batch that one request filled, there is nothing to wait for.
Gathering gathering_after(const JobBatch& batch, Clock::duration spent) {
  const auto other = [&](const JobBatch::Part& part) { return part.job != batch.parts.front().job; };
  if (std::ranges::none_of(batch.parts, other)) return {};
  const auto time = std::min<Clock::duration>(spent / kGatheringShare, kLongestGathering);
  return {.sentences = batch.parts.size(), .until = Clock::now() + time};
}

}  // namespace

JobWorkers::JobWorkers(JobQueue& queue, int threads, std::function<void(const BatchReport&)> report)
    : queue_(queue), report_(std::move(report)) {
  if (threads == 0) return;
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  threads_.emplace_back([this] { queue_.watch(); });
}

JobWorkers::~JobWorkers() { join(); }

void JobWorkers::join() {
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void JobWorkers::work() {
  kernels::prepare_thread();
  Gathering gathering;
  for (JobBatch batch = queue_.take(); !batch.empty(); batch = queue_.take(gathering)) gathering = do_batch(batch);
}

void JobWorkers::work_here() {
  for (JobBatch batch = queue_.take_waiting(); !batch.empty(); batch = queue_.take_waiting()) do_batch(batch);
}

Gathering JobWorkers::do_batch(const JobBatch& batch) {
  const auto begin = Clock::now();
  BatchReport report{.sentences = batch.parts.size()};
  for (const JobBatch::Part& part : batch.parts) report.waited.push_back(seconds_between(part.job->queued, begin));
  std::exception_ptr error;
  try {
    batch.parts.front().job->work ? do_work(*batch.parts.front().job) : translate(batch);
  } catch (const JobCancelled&) {  // its jobs know
  } catch (...) {
    error = std::current_exception();
  }
  report.tokens = error ? 0 : tokens_in(batch);
  const auto end = Clock::now();
  report.seconds = seconds_between(begin, end);
  report_(report);
  queue_.finish(batch, error);
  return gathering_after(batch, end - begin);
}

}  // namespace dhyan::server
