#pragma once

#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

// Attention along a linear chain ([kim2017]), which is the alignment model of [vogel1996]: one source word generates
// target i, and its place depends on the place of the one before. The last key is the null word, which generates words
// without counterpart and leaves the place as it is ([och2003] section 2.1.2). S keys are W = S-1 words and null.
//
//   p(a_i = j | a_{i-1} = k) = (1 - null) exp s_{j-k} / Σ_l exp s_{l-k};   the place before the first target is -1
struct AlignmentChain {
  std::span<const Real> jumps;  // [2R+1] s_d for d = -R..R; a longer jump has the score of the longest
  double null = 0;              // probability of the null word
};

// The numbers of scratch memory that align_sentence() needs.
std::size_t alignment_scratch(Index T, Index S);

// One sentence with all its targets known.
struct AlignedSentence {
  ConstMatrix energy;           // [T,S]   e_ij = log p(y_i | a_i = j)
  Matrix posterior;             // [T,S]   set to p(a_i = j | y) = d(log p(y))/d(e_ij)
  std::span<Real> djumps = {};  // [2R+1]  set to d(log p(y))/d(s_d); may be left out
};
double align_sentence(const AlignedSentence& sentence, const AlignmentChain& chain,
                      std::span<double> scratch);  // log p(y)

// Where the next target comes from, null included: [W] places of the target before, none if there is none, to [W+1].
void next_source(std::span<const double> places, const AlignmentChain& chain, std::span<double> next);

// The places after a target with these energies [W+1]; `next` is next_source() of the places before it.
void update_places(std::span<const double> next, std::span<const Real> energy, std::span<double> places);

// z_v = log Σ_j weights_j table(keys_j, v)
void log_mixture(ConstMatrix table, std::span<const RowId> keys, std::span<const Real> weights, std::span<Real> z);

// e_ij = table(keys_j, queries_i) for the words of one sentence, and its gradient: [T,S], table [K,Q]
void pair_lookup(ConstMatrix table, std::span<const RowId> keys, std::span<const RowId> queries, Matrix energy);
void pair_lookup_backward(ConstMatrix denergy, std::span<const RowId> keys, std::span<const RowId> queries,
                          Matrix dtable);

}  // namespace dhyan::kernels
