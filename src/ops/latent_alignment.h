#pragma once

#include "autograd/tape.h"
#include "kernels/attention/attention_layout.h"
#include "kernels/attention/latent_alignment.h"

namespace dhyan {

// Energies of words in a table of word pairs: e_ij = table(keys_j, queries_i), [K,Q] -> [Σ T_b S_b]. The spans have a
// row or column of the table for each word of the batch and must live until backward has run.
struct WordPairs {
  std::span<const RowId> keys;     // [ΣS]
  std::span<const RowId> queries;  // [ΣT]
};
Var pair_energies(const Var& table, const WordPairs& words, const kernels::AttentionLayout& layout);

// The loss of an alignment that nobody knows: -log Σ_a p(y, a) over all alignments a along a chain
// (kernels::AlignmentChain), from e_ij = log p(y_i | a_i = j). The last key of each sentence is the null word.
struct LatentAlignment {
  Var loss;           // []            Σ over sentences
  Tensor posteriors;  // [Σ T_b S_b]   p(a_i = j | y)
};
LatentAlignment latent_alignment(const Var& energy, const Var& jumps, double null,  // [Σ T_b S_b], [2R+1]
                                 const kernels::AttentionLayout& layout);

}  // namespace dhyan
