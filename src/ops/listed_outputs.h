#pragma once

#include <span>

#include "core/segments.h"
#include "ops/output_layer.h"

namespace dhyan {

// The only words that count for the rows of each sentence, ascending: a shortlist.
struct ListedWords {
  Segments rows;                                  // B sentences over the rows of x
  std::span<const std::span<const RowId>> words;  // [B] each below V
};

enum class LogSums { kNo, kYes };

// ranked_outputs() of the listed words alone, log Σ exp included: the bytes of their columns of output_logits(), at the
// cost of these columns. Lists with fewer than k words are filled up with kNoWord.
RankedOutputs listed_outputs(const Var& x, const OutputLayer& layer, const ListedWords& lists, Index k,  // x [.,H]
                             LogSums sums);

}  // namespace dhyan
