#pragma once

#include <map>
#include <vector>

#include "decoding/decode_loop.h"
#include "decoding/required_phrases.h"
#include "decoding/word_rules.h"

namespace dhyan {

// The words that other groups of a sentence have just taken, and how often.
using TakenWords = std::map<TokenId, Index>;

// The search for one sentence, a path of decode_loop() ([sutskever2014] section 3.2). Every step extends the live
// hypotheses by one word and keeps the best of all extensions, as many as the beam is wide, by log p, equal ones by
// token and then by hypothesis. Of these, what ends with </s> is finished and joins a list, ranked by score; the others
// live on. What still lives at the greatest length is cut and ranked with the finished ones, as Marian and CTranslate2
// do: else </s>, however unlikely, would win over every hypothesis that is cut. With a beam of one that is greedy
// decoding.
class Beam {
 public:
  // Of sentence b. Options must live as long.
  Beam(const SearchOptions& options, const SearchTask& task, Index b);

  void add_live(LiveBatch& live) const;
  Index live() const { return over() ? 0 : std::ssize(live_); }
  void advance(const StepView& step, Index first_row) {
    TakenWords none;
    advance(step, first_row, none);
  }
  void advance(const StepView& step, Index first_row, TakenWords& taken);  // and adds what it takes

  // The n_best by score, equal ones in the order they ended: the finished ones, and those cut at the greatest length or
  // where nothing may follow. What lacks required words goes behind what has them all. With each, the rows its tokens
  // were chosen in.
  struct Result {
    Hypothesis hypothesis;
    std::vector<RowId> rows;
    Index node;
    Index missing;  // required tokens
  };
  std::vector<Result> results() const;
  std::vector<BeamNode> record() const;

 private:
  static constexpr Index kRoot = -1;
  struct Node {  // a word, and what it follows
    Index parent = kRoot;
    Extension extension;
    double token_score = 0;
    double log_probability = 0;  // of all words so far
    BeamNode::Fate fate = BeamNode::Fate::kKept;
  };
  struct Proposal {
    Node node;
    double rank = 0;  // log p, less what was taken by others
    Index left = 0;   // of what is required
  };
  struct Live {
    Index node = kRoot;
    std::vector<double> covered = {};  // [S] where coverage counts
  };
  struct Ended {
    Index node = kRoot;
    double score = 0;
    Index missing = 0;  // required tokens
  };

  const Node& at(Index node) const { return nodes_[static_cast<std::size_t>(node)]; }
  double log_probability(Index node) const { return node == kRoot ? 0 : at(node).log_probability; }
  Phrase written(Index node) const;
  bool cut() const { return stuck_ || length_ == max_length_; }  // what lives cannot go on
  bool over() const;
  bool worth_going_on() const;
  void propose(const StepScores& scores, Index first_row, const TakenWords& taken);
  void propose_words(const StepScores& scores, const Node& from, const TakenWords& taken);
  void add_proposal(const Node& from, const Candidate& word, const TakenWords& taken, Index left = 0);
  std::size_t choose();
  void record_pruned(std::size_t kept);
  void finish(const Live& ended);
  Result result_of(const Ended& ended) const;

  const SearchOptions& options_;
  HypothesisScore score_;
  WordRules rules_;
  RequiredPhrases required_;
  Index b_;
  Index width_;   // hypotheses kept at every step
  Index enough_;  // finished hypotheses
  Index max_length_;
  bool all_fit_;      // what is given and required is not too long
  Index length_ = 0;  // of the live ones
  bool stuck_ = false;
  std::vector<Node> nodes_;
  std::vector<Live> live_{Live()};   // by rank
  std::vector<Live> before_;         // those that were, while a step goes on
  std::vector<Ended> finished_;      // by score
  std::vector<Proposal> proposals_;  // of one step
};

}  // namespace dhyan
