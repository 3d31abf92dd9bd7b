#include "decoding/search_plan.h"

#include <algorithm>

#include "decoding/word_rules.h"

namespace dhyan {

namespace {

// A sentence without its list of words.
SearchTask without_list(const SearchTask& task) {
  return {.source_length = task.source_length, .prefix = task.prefix, .cancelled = task.cancelled};
}

bool ruled(const SearchOptions& options, const SearchTask& task) {
  return !task.required.empty() || !WordRules(options, task).empty();
}

}  // namespace

SearchPlan::SearchPlan(std::span<const SearchTask> tasks, const SearchOptions& options) : tasks_(tasks) {
  const bool keeps_all = options.keep == RecordedAttention::kSteps;
  const auto with_rules = [&](const SearchTask& task) { return ruled(options, task); };
  const auto with_other_rules = [&](const SearchTask& task) {
    return !task.required.empty() || ruled(options, without_list(task));
  };
  bool all_words = keeps_all || std::ranges::any_of(tasks, with_rules);
  const bool listed = !tasks.empty() && std::ranges::none_of(tasks, &Phrase::empty, &SearchTask::vocabulary);
  if (listed && (!options.scored || options.scored_words == ScoredWords::kListed)) {
    list_words();
    if (!keeps_all && std::ranges::none_of(tasks, with_other_rules)) {
      all_words = false;
      for (const SearchTask& task : tasks) plain_.push_back(without_list(task));
    }
  }
  if (options.scored) {
    ask_ = all_words ? Ask::kProbabilities : Ask::kBestProbabilities;
  } else {
    ask_ = all_words ? Ask::kOrder : Ask::kBest;
  }
}

void SearchPlan::list_words() {
  completed_.reserve(tasks_.size());  // lists are parts of it
  for (const SearchTask& task : tasks_) {
    std::span<const TokenId> words = task.vocabulary;
    if (!std::ranges::binary_search(words, kEnd)) {
      Phrase& completed = completed_.emplace_back(task.vocabulary);
      completed.insert(std::ranges::upper_bound(completed, kEnd), kEnd);
      words = completed;
    }
    words_.push_back(words);
  }
}

}  // namespace dhyan
