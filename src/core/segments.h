#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/real.h"

namespace dhyan {

// The rows of a batch by sentence: sentence b owns rows [begin(b), end(b)). Sentences follow each other without
// padding, unless they lie in slots; a sentence may be empty. Immutable; copies share the offsets.
class Segments {
 public:
  Segments() = default;  // no sentence
  static Segments from_lengths(std::span<const Index> lengths);
  static Segments from_lengths(std::initializer_list<Index> lengths);
  static Segments one(Index rows);           // one sentence of all the rows
  static Segments singles(Index sentences);  // one row each

  // Sentence b has the first lengths[b] rows of slot slots[b]; slots of `spacing` rows each leave sentences room to
  // grow. No two sentences share a slot; slots may come in any order.
  static Segments in_slots(Index spacing, std::span<const Index> slots, std::span<const Index> lengths);

  Index count() const { return count_; }
  Index rows() const {
    return lengths_ ? slot_rows_ : (count_ > 0 ? (*offsets_)[static_cast<std::size_t>(count_)] : 0);
  }
  Index begin(Index b) const { return (*offsets_)[static_cast<std::size_t>(b)]; }
  Index end(Index b) const { return lengths_ ? begin(b) + length(b) : (*offsets_)[static_cast<std::size_t>(b) + 1]; }
  Index length(Index b) const { return lengths_ ? (*lengths_)[static_cast<std::size_t>(b)] : end(b) - begin(b); }
  Index longest() const;

  Segments first(Index n) const;  // the first n sentences; allocates nothing

  friend bool operator==(const Segments& a, const Segments& b);

 private:
  std::shared_ptr<const std::vector<Index>> offsets_;  // count_ + 1 ascending offsets from 0, or more
  std::shared_ptr<const std::vector<Index>> lengths_;  // null unless in slots, whose offsets need not ascend
  Index count_ = 0;
  Index slot_rows_ = 0;  // to the end of the last slot
};

}  // namespace dhyan
