#pragma once

#include <vector>

#include "attention/multi_head.h"
#include "core/spare_arena.h"

namespace dhyan {

// What the layers of a decoder that attends to itself have prepared of the words so far, for hypotheses that grow by a
// word a step. Each has a place of its own in memory that was taken ahead. The first that goes on from one keeps its
// place and nothing is copied; another that goes on from the same one gets the place of one that does not go on, most
// like it, and only the words by which they differ are copied.
class KeyValueCache {
 public:
  // Begins with so many hypotheses without words.
  KeyValueCache(Index layers, Index hypotheses);

  // Hypothesis i goes on with the words of the one that was rows[i]. UsageError if there was none such.
  void follow(std::span<const RowId> rows);

  // The words so far of one layer, with those of `fresh` added: some of each hypothesis, as its segments say. Kept in
  // `dtype`, the same for a layer every time. They are the cache's, until follow() or the next add().
  Memory add(Scope& scope, Index layer, const Memory& fresh, Dtype dtype = Dtype::kReal);

  // Once all layers have added theirs.
  void advance(const Segments& fresh);

  std::span<const Index> lengths() const { return lengths_; }  // words of each hypothesis

 private:
  // Of one layer, `spacing_` for each place.
  struct Rows {
    std::byte* memory = nullptr;
    Index bytes = 0;  // of it
    Index row = 0;    // bytes of one word
  };

  void take_memory(Rows& rows, Index spacing);
  void make_room(Index longest);
  Index taken_from(std::vector<Index>& free, const std::vector<Index>& wanted);
  void copy_text(Index from, Index to);
  Var written(Scope& scope, Rows& rows, const Ragged& fresh, Dtype dtype);

  std::vector<Index>& text(Index place) { return texts_[static_cast<std::size_t>(place)]; }

  SpareArena memory_;
  std::vector<Rows> rows_;  // keys and values of each layer
  std::vector<Index> lengths_, places_;
  std::vector<std::vector<Index>> texts_;  // what lies in each place, also of one that nobody has: numbers of words
  Index words_ = 0;                        // so many were added
  Index spacing_ = 0;                      // words there is room for
};

}  // namespace dhyan
