#pragma once

#include "decoding/step_scores.h"

namespace dhyan {

// What a search asks of the model at every step. Where the words of each sentence are listed and no other rule needs
// more, these are all that the model computes.
class SearchPlan {
 public:
  SearchPlan(std::span<const SearchTask> tasks, const SearchOptions& options);  // both must outlive it

  Ask ask() const { return ask_; }
  std::span<const std::span<const TokenId>> words() const { return words_; }              // for Continuation::words
  std::span<const SearchTask> tasks() const { return plain_.empty() ? tasks_ : plain_; }  // what beams still look at

 private:
  void list_words();

  std::span<const SearchTask> tasks_;
  std::vector<SearchTask> plain_;  // without their lists, if the model keeps to these
  std::vector<Phrase> completed_;  // lists that lacked </s>
  std::vector<std::span<const TokenId>> words_;
  Ask ask_ = Ask::kProbabilities;
};

}  // namespace dhyan
