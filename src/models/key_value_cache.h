#pragma once

#include <vector>

#include "attention/multi_head.h"
#include "core/spare_arena.h"

namespace dhyan {

// The KV cache of a decoder's self-attention: keys and values of the words so far, for hypotheses that grow by a word a
// step. Each hypothesis has its own slot in preallocated memory. The first hypothesis that continues another keeps its
// slot without copying; a second one gets the free slot with the longest common prefix, and only the words that differ
// are copied.
class KeyValueCache {
 public:
  // Starts with this many empty hypotheses.
  KeyValueCache(Index layers, Index hypotheses);

  // Hypothesis i now continues the former hypothesis rows[i]. UsageError if there is no such row.
  void follow(std::span<const RowId> rows);

  // Appends the keys and values of new words of each hypothesis (the segments of `fresh`) to one layer and returns all
  // of the layer. Stored as `dtype`, which must not change for a layer. Valid until follow() or the next add().
  Memory add(Scope& scope, Index layer, const Memory& fresh, Dtype dtype = Dtype::kReal);

  // Ends a step, after all layers have added their words.
  void advance(const Segments& fresh);

  std::span<const Index> lengths() const { return lengths_; }  // words of each hypothesis

 private:
  // The keys or values of one layer: `spacing_` rows for each slot.
  struct Rows {
    std::byte* memory = nullptr;
    Index bytes = 0;  // size of the memory
    Index row = 0;    // bytes of one word
  };

  void reserve(Rows& rows, Index spacing);
  void reserve_words(Index longest);
  Index taken_from(std::vector<Index>& free, const std::vector<Index>& wanted);
  void copy_text(Index from, Index to);
  Var written(Scope& scope, Rows& rows, const Ragged& fresh, Dtype dtype);

  std::vector<Index>& text(Index place) { return texts_[static_cast<std::size_t>(place)]; }

  SpareArena memory_;
  std::vector<Rows> rows_;  // keys and values of each layer
  std::vector<Index> lengths_, places_;
  std::vector<std::vector<Index>> texts_;  // the ids of the words in each slot, also in free ones
  Index words_ = 0;                        // words added so far: the next id
  Index spacing_ = 0;                      // words that fit into a slot
};

}  // namespace dhyan
