#pragma once

#include <span>
#include <vector>

#include "data/batch.h"
#include "models/model.h"

namespace dhyan {

// Sources of like length, to be decoded together, and the places of their sentences among all.
struct SourceSentences {
  std::vector<std::size_t> places;  // [B]
  std::vector<TokenId> tokens;      // [ΣS]
  std::vector<Index> lengths;       // [B]

  SourceBatch batch(IntraOpThreads* intra_op, KeepAttention attention, Precision precision) const {
    return {tokens, Segments::from_lengths(lengths), intra_op, attention, precision};
  }
};

// Batches of sources, the longest first: the threads that share them out end at about the same time, and little is
// left to do for a batch whose last sentence goes on. Equally long ones in their order. Sources without tokens are in
// none.
std::vector<SourceSentences> source_batches(std::span<const std::span<const TokenId>> sources,
                                            const BatchLimits& limits);

}  // namespace dhyan
