#pragma once

#include <span>
#include <vector>

#include "core/segments.h"

namespace dhyan {

enum class Direction { kForward, kBackward };

// The order in which a recurrent layer reads the words of a batch. Sentences are sorted by length, the longest
// first (equally long ones stay in order); step t takes word t, or the t-th from the end, of the active(t) sentences
// that have one. Finished sentences are at the end, so the live ones are always the first rows: no padding.
//
// It depends on the lengths alone: made once with the batch, it serves all layers, and a step allocates nothing.
class RecurrentPlan {
 public:
  explicit RecurrentPlan(const Segments& segments);

  const Segments& segments() const { return segments_; }
  Index steps() const { return static_cast<Index>(begins_.size()) - 1; }       // of the longest sentence
  Index active(Index t) const;                                                 // 0 <= t <= steps(); the last is 0
  Index begin(Index t) const { return begins_[static_cast<std::size_t>(t)]; }  // rows of all steps before t

  std::span<const RowId> sentences() const { return sentences_; }  // [B] in sorted order
  std::span<const RowId> ranks() const { return ranks_; }          // [B] the place of each sentence in it

  // Between rows of the batch, sentence by sentence, and rows in time, step by step.
  std::span<const RowId> to_time(Direction direction) const { return order(direction).to_time; }      // [ΣS]
  std::span<const RowId> from_time(Direction direction) const { return order(direction).from_time; }  // [ΣS]

 private:
  struct Order {
    std::vector<RowId> to_time;    // for each row in time, that of the batch
    std::vector<RowId> from_time;  // the inverse
  };

  const Order& order(Direction direction) const { return direction == Direction::kForward ? forward_ : backward_; }
  Order make_order(Direction direction) const;

  Segments segments_;
  std::vector<RowId> sentences_;
  std::vector<RowId> ranks_;
  std::vector<Index> begins_;  // of each step, and the number of all rows
  Order forward_;
  Order backward_;
};

}  // namespace dhyan
