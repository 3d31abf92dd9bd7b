#pragma once

#include <map>
#include <vector>

#include "decoding/decode_loop.h"
#include "decoding/required_phrases.h"
#include "decoding/word_rules.h"

namespace dhyan {

// How often earlier groups of the sentence chose each word in this step.
using TakenWords = std::map<TokenId, Index>;

// The search for one sentence, a path of decode_loop() ([sutskever2014] section 3.2). Every step extends the live
// hypotheses by one word and keeps the best of all extensions by log p, up to the beam size; ties go to the
// lower token, then to the higher hypothesis. Extensions that end with </s> are finished and join a list ranked by
// score; the others stay live. Hypotheses still live at the maximum length are cut and ranked with the finished ones,
// as in Marian and CTranslate2: otherwise even an unlikely </s> would beat every hypothesis that is cut. A beam of
// one is greedy decoding.
class Beam {
 public:
  // The beam of sentence b. Options must outlive it.
  Beam(const SearchOptions& options, const SearchTask& task, Index b);

  void add_live(LiveBatch& live) const;
  Index live() const { return over() ? 0 : std::ssize(live_); }
  void advance(const StepView& step, Index first_row) {
    TakenWords none;
    advance(step, first_row, none);
  }
  void advance(const StepView& step, Index first_row, TakenWords& taken);  // adds the words it chooses

  // The n_best by score, ties in the order they ended: finished hypotheses, and those cut at the maximum length or
  // where no word is allowed. Hypotheses that lack required words come after those that have all. Each comes with the
  // rows in which its tokens were chosen.
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
  struct Node {  // a word and its predecessor
    Index parent = kRoot;
    Extension extension;
    double token_score = 0;
    double log_probability = 0;  // of all words so far
    BeamNode::Fate fate = BeamNode::Fate::kKept;
  };
  struct Proposal {
    Node node;
    double rank = 0;  // log p minus the diversity penalty
    Index left = 0;   // required tokens still to write
  };
  struct Live {
    Index node = kRoot;
    std::vector<double> covered = {};  // [S] if coverage is scored
  };
  struct Ended {
    Index node = kRoot;
    double score = 0;
    Index missing = 0;  // required tokens
  };

  const Node& at(Index node) const { return nodes_[static_cast<std::size_t>(node)]; }
  double log_probability(Index node) const { return node == kRoot ? 0 : at(node).log_probability; }
  Phrase written(Index node) const;
  bool cut() const { return stuck_ || length_ == max_length_; }  // live hypotheses cannot be extended
  bool over() const;
  bool worth_going_on() const;
  std::size_t refilled(std::size_t width, std::size_t sorted);
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
  Index enough_;  // finished hypotheses to find and keep
  Index max_length_;
  bool all_fit_;      // prefix and required phrases fit the maximum length
  Index length_ = 0;  // of the live ones
  bool stuck_ = false;
  std::vector<Node> nodes_;
  std::vector<Live> live_{Live()};   // by rank
  std::vector<Live> before_;         // live hypotheses before the current step
  std::vector<Ended> finished_;      // by score
  std::vector<Proposal> proposals_;  // of one step
};

}  // namespace dhyan
