#pragma once

#include <vector>

#include "attention/scores.h"
#include "core/spare_arena.h"

namespace dhyan {

// What the layers of a decoder that attends to itself have prepared of the words so far, for hypotheses that grow by a
// word a step. Each has a place of its own in memory that was taken ahead, and is only moved when the hypotheses are
// others, or in another order, than at the step before: where all go on, or the last ones end, nothing is copied.
class KeyValueCache {
 public:
  // Begins with so many hypotheses without words.
  KeyValueCache(Index layers, Index hypotheses)
      : layers_(static_cast<std::size_t>(layers)), lengths_(static_cast<std::size_t>(hypotheses), 0) {}

  // Hypothesis i goes on with the words of the one that was rows[i]. UsageError if there was none such.
  void follow(std::span<const RowId> rows);

  // The words so far of one layer, with those of `fresh` added: some of each hypothesis, as its segments say. Numbers
  // are the cache's, until follow() or the next add().
  Memory add(Scope& scope, Index layer, const Memory& fresh);

  // Once all layers have added theirs.
  void advance(const Segments& fresh);

  std::span<const Index> lengths() const { return lengths_; }  // words of each hypothesis

 private:
  // Rows of numbers, `spacing` for each hypothesis.
  struct Rows {
    Tensor numbers;
    Tensor before;  // the memory to move to next
    Index width = 0;

    void move(Arena& arena, std::span<const RowId> from, std::span<const Index> lengths, Index old_spacing,
              Index spacing);
    void write(Arena& arena, const Tensor& fresh, const Segments& segments, std::span<const Index> lengths,
               Index spacing);
    Var var(Scope& scope, Index rows);
  };
  struct Layer {
    Rows keys, values;
  };

  void make_room(Index longest);
  void move(std::span<const RowId> from, Index spacing);

  SpareArena memory_;
  std::vector<Layer> layers_;
  std::vector<Index> lengths_;
  Index spacing_ = 0;  // words there is room for
};

}  // namespace dhyan
