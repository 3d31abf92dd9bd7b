#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/real.h"

namespace dhyan {

// Which rows of a batch belong to which sentence: sentence b owns rows [begin(b), end(b)). Sentences lie one after the
// other without padding, unless they are placed; a sentence may be empty. Immutable; copies share the offsets.
class Segments {
 public:
  Segments() = default;  // no sentence
  static Segments from_lengths(std::span<const Index> lengths);
  static Segments from_lengths(std::initializer_list<Index> lengths);
  static Segments one(Index rows);           // one sentence of all the rows
  static Segments singles(Index sentences);  // one row each

  // Rows are cut into places of `spacing`, and each has the first of one: sentences that grow where they lie. Places
  // that no other has, in any order.
  static Segments placed(Index spacing, std::span<const Index> places, std::span<const Index> lengths);

  Index count() const { return count_; }
  Index rows() const {
    return lengths_ ? placed_rows_ : (count_ > 0 ? (*offsets_)[static_cast<std::size_t>(count_)] : 0);
  }
  Index begin(Index b) const { return (*offsets_)[static_cast<std::size_t>(b)]; }
  Index end(Index b) const { return lengths_ ? begin(b) + length(b) : (*offsets_)[static_cast<std::size_t>(b) + 1]; }
  Index length(Index b) const { return lengths_ ? (*lengths_)[static_cast<std::size_t>(b)] : end(b) - begin(b); }
  Index longest() const;

  Segments first(Index n) const;  // the first n sentences; allocates nothing

  friend bool operator==(const Segments& a, const Segments& b);

 private:
  std::shared_ptr<const std::vector<Index>> offsets_;  // count_ + 1 ascending numbers, the first 0, and perhaps more
  std::shared_ptr<const std::vector<Index>>
      lengths_;  // of placed ones, whose offsets do not ascend; none: up to the next
  Index count_ = 0;
  Index placed_rows_ = 0;  // to the end of the last place
};

}  // namespace dhyan
