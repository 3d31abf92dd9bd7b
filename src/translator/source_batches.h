#pragma once

#include <span>
#include <vector>

#include "data/batch.h"
#include "models/model.h"

namespace dhyan {

// Sources of similar length that are decoded together, and the positions of their sentences in the input.
struct SourceSentences {
  std::vector<std::size_t> places;                  // [B]
  std::vector<TokenId> tokens;                      // [ΣS]
  std::vector<Index> lengths;                       // [B]
  std::vector<std::vector<WeightEdit>> edits = {};  // [B], or none

  // This must outlive its decoding.
  SourceBatch batch(IntraOpThreads* intra_op, KeepAttention attention, Precision precision,
                    const PictureSource* pictures) const {
    return {tokens, Segments::from_lengths(lengths), intra_op, attention, precision, pictures, edits};
  }
};

// Batches of sources, the longest first, so that all threads end at about the same time. Ties keep their order. Sources
// without tokens are in no batch.
std::vector<SourceSentences> source_batches(std::span<const std::span<const TokenId>> sources,
                                            const BatchLimits& limits);

}  // namespace dhyan
