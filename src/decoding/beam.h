#pragma once

#include <vector>

#include "decoding/search.h"
#include "decoding/walk.h"

namespace dhyan {

// The search for one sentence, a path of walk() ([sutskever2014] section 3.2). Every step extends the live hypotheses
// by one word and keeps the beam_size best of all extensions by log p, equal ones by token and then by hypothesis. Of
// these, what ends with </s> is finished and joins a list, at most beam_size long, ranked by normalised score; the
// others live on. With a beam of one that is greedy decoding.
class Beam {
 public:
  // Of sentence b; `max_length` tokens at most.
  Beam(const SearchOptions& options, Index b, Index max_length) : options_(options), b_(b), max_length_(max_length) {}

  void add_live(Frontier& frontier) const;
  void advance(const StepScores& scores, Index first_row);

  // The n_best: the finished ones, best first, and behind them, if they are too few, those cut at the greatest length.
  // With each, the rows its tokens were chosen in.
  struct Result {
    Hypothesis hypothesis;
    std::vector<RowId> rows;
  };
  std::vector<Result> results() const;

 private:
  static constexpr Index kRoot = -1;
  struct Node {  // a word, and what it follows
    Index parent = kRoot;
    Extension extension;
    double token_score = 0;
    double log_probability = 0;  // of all words so far
  };
  struct Ended {
    Index node = kRoot;
    double score = 0;
  };

  const Node& at(Index node) const { return nodes_[static_cast<std::size_t>(node)]; }
  double log_probability(Index node) const { return node == kRoot ? 0 : at(node).log_probability; }
  bool over() const;
  std::vector<Node> best_extensions(const StepScores& scores, Index first_row) const;
  void finish(Index node);
  bool worth_going_on() const;
  Result result_of(const Ended& ended) const;

  SearchOptions options_;
  Index b_;
  Index max_length_;
  Index length_ = 0;  // of the live ones
  std::vector<Node> nodes_;
  std::vector<Index> live_{kRoot};  // by log p
  std::vector<Ended> finished_;     // by score
};

}  // namespace dhyan
