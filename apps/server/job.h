#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "translator/translator.h"

namespace dhyan::server {

using Clock = std::chrono::steady_clock;

// The work of one request: sentences that one model translates with the same options, or one piece of other work. A
// worker sets the results; `done` is called once, when all is over one way or the other.
struct Job {
  // Either sentences:
  std::shared_ptr<const Translator> translator = {};
  TranslationOptions options = {};  // the same for all; constraints are below
  std::string batch_key = {};       // jobs with the same key, and no others, may share a batch
  std::vector<std::string> sentences = {};
  std::vector<LineConstraints> constraints = {};                       // one for each sentence, or none
  std::function<void(Job&, std::size_t sentence)> sentence_done = {};  // from a worker, in any order

  // or work, which calls `poll` often and does not catch its exceptions:
  std::function<void(const std::function<void()>& poll)> work = {};

  Clock::time_point queued = {};  // when it was
  Clock::time_point deadline = Clock::time_point::max();
  std::function<void(Job&)> done = {};  // from the thread that finishes it

  std::atomic<bool> cancelled = false;  // nobody waits for it any more: set from any thread
  std::atomic<bool> expired = false;    // cancelled because its deadline has passed

  std::vector<std::vector<Translation>> results = {};  // [sentences]
  std::exception_ptr error = {};                       // why there are no results

  std::size_t size() const { return work ? 1 : sentences.size(); }
  void cancel_if_late(Clock::time_point now) {
    if (now < deadline || cancelled.exchange(true)) return;
    expired = true;
  }

 private:
  friend class JobQueue;
  std::size_t taken_ = 0, finished_ = 0;  // guarded by the queue
};

}  // namespace dhyan::server
