#pragma once

#include "models/aligner_config.h"
#include "models/model.h"

namespace dhyan {

// A model for word alignment. Its attention knows the target word: the query is the word's own row of the output layer,
// a key is the embedding of a source word, and the energy is the log-probability of the one given the other,
//   e_ij = log p(y_i | x_j) = u_{y_i} · h_j + b_{y_i} - log Σ_v exp(u_v · h_j + b_v)
// Weights are those of a chain (ops/latent_alignment.h), and the loss sums over all alignments: nobody needs to know
// any.
// </s> of the source is the null word. Parameters source.table, target.table, target.bias [V,1] and jumps.
//
// Training sums over the words of the shard and a sample of the others ([jean2015]); without a tape the sum is exact.
//
// Throws ConfigError for an impossible config.
std::unique_ptr<TranslationModel> make_aligner(const AlignerConfig& config, const Rng& rng);

}  // namespace dhyan
