#pragma once

#include <functional>
#include <utility>

#include "decoding/coverage.h"
#include "decoding/step_records.h"
#include "decoding/step_scores.h"

namespace dhyan {

// How a hypothesis was extended: the row of the step and the word.
struct Extension {
  RowId row = 0;
  TokenId token = kBegin;
};

// The live hypotheses of all sentences, as input of the next step.
class LiveBatch {
 public:
  void clear();
  void add(const Extension& last);  // a hypothesis of the current sentence
  void end_sentence();

  bool empty() const { return rows_.empty(); }
  Continuation continuation() const { return {rows_, tokens_, Segments::from_lengths(lengths_)}; }

 private:
  std::vector<RowId> rows_;
  std::vector<TokenId> tokens_;
  std::vector<Index> lengths_;  // finished sentences
  Index open_ = 0;              // hypotheses of the current sentence
};

// The part of a step that a path reads.
struct StepView {
  StepScores scores;
  CrossWeights looked{CrossWeights::Wanted::kNo};
  std::span<const std::span<const TokenId>> words = {};  // as Continuation::words

  void read(const DecoderStep& step, const Continuation& continuation) {
    scores.read(step, {continuation.hypotheses, continuation.words});
    looked.read(step);
  }
};

// Ways to stop a loop: `poll`, if given, is called before every step and may throw; single sentences can be cancelled.
class LoopControl {
 public:
  explicit LoopControl(std::function<void()> poll = {}) : poll_(std::move(poll)) {}
  void add_sentence(CancelFlag flag);  // for each sentence in order, or for none

  void check();  // polls and reads the flags; a cancelled sentence stays cancelled
  bool cancelled(std::size_t b) const { return !seen_.empty() && seen_[b]; }

 private:
  std::function<void()> poll_;
  std::vector<CancelFlag> flags_;
  std::vector<bool> seen_;
};

// Decodes a batch step by step, until no sentence has a live hypothesis. A sentence's path has
//   void add_live(LiveBatch& live) const     adds its live hypotheses; none once it is over
//   void advance(const StepView& view, Index first_row)     the step scored them, in rows first_row and on
template <class Path>
void decode_loop(Decoding& decoding, std::span<Path> paths, StepView& view, StepRecords& records,
                 LoopControl& control) {
  LiveBatch live;
  while (true) {
    control.check();
    live.clear();
    for (std::size_t b = 0; b < paths.size(); ++b) {
      if (!control.cancelled(b)) paths[b].add_live(live);
      live.end_sentence();
    }
    if (live.empty()) return;
    Continuation continuation = live.continuation();
    continuation.best = view.scores.asked();
    continuation.log_sums = view.scores.asks_for_sums();
    continuation.words = view.words;
    continuation.attention =
        view.looked.wanted() || records.want_attention() ? KeepAttention::kYes : KeepAttention::kNo;
    const DecoderStep step = decoding.step(continuation);
    view.read(step, continuation);
    records.add(step, view.scores);
    for (std::size_t b = 0; b < paths.size(); ++b) {
      const auto sentence = static_cast<Index>(b);
      if (continuation.hypotheses.length(sentence) == 0) continue;
      paths[b].advance(view, continuation.hypotheses.begin(sentence));
    }
  }
}

}  // namespace dhyan
