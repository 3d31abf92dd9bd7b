#pragma once

#include "core/rng.h"
#include "decoding/hypothesis.h"

namespace dhyan {

struct ExampleSizes {
  Index layers = 2;
  Index heads = 2;
  std::size_t source = 3, target = 4;  // tokens, </s> included
  bool decoder_only = false;
};

// For tests: the records of a Transformer, with random weights; decoder self-attention is causal.
inline std::vector<AttentionRecord> example_records(const ExampleSizes& sizes = {}) {
  Rng rng(1);
  std::vector<AttentionRecord> records;
  const auto add = [&](AttentionPlace place, std::size_t rows, std::size_t columns) {
    for (Index layer = 0; layer < sizes.layers; ++layer) {
      for (Index head = 0; head < sizes.heads; ++head) {
        AttentionRecord record{.place = place, .layer = layer, .head = head};
        for (std::size_t i = 0; i < rows; ++i) {
          const std::size_t seen = place == AttentionPlace::kDecoder ? columns - rows + i + 1 : columns;
          std::vector<Real> row(columns, 0);
          Real sum = 0;
          for (std::size_t j = 0; j < seen; ++j) sum += row[j] = static_cast<Real>(1 + rng.below(100));
          for (Real& weight : row) weight /= sum;
          record.weights.push_back(row);
        }
        records.push_back(record);
      }
    }
  };
  if (!sizes.decoder_only) add(AttentionPlace::kCross, sizes.target, sizes.source);
  add(AttentionPlace::kDecoder, sizes.target, sizes.target + (sizes.decoder_only ? sizes.source : 0));
  add(AttentionPlace::kEncoder, sizes.source, sizes.source);
  return records;
}

}  // namespace dhyan
