#pragma once

#include <span>

#include "attention/attend.h"
#include "core/precision.h"
#include "core/segments.h"
#include "data/batch.h"

namespace dhyan {

class IntraOpThreads;

// The input of a model that reads pictures. All pictures have one size.
struct PictureInput {
  GridShape pixels;  // of a picture
  GridShape grid;    // of its annotations, row by row; 0 × 0: the model reads sentences

  explicit operator bool() const { return grid.cells() > 0; }
};

// The sources of a batch: sentences, each ending in </s>, or pictures.
struct SourceBatch {
  std::span<const TokenId> tokens;                // [ΣS], or [B] numbers of pictures
  Segments segments;                              // B sentences over the tokens
  IntraOpThreads* intra_op = nullptr;             // threads for parts of its GEMMs; must outlive its decoding
  KeepAttention attention = KeepAttention::kYes;  // of the source to itself: Decoding::source_attention()
  Precision precision = Precision::kFull;         // of products with weights; its bytes depend on it, not on the batch
  const PictureSource* pictures = nullptr;        // null: sentences; else the pictures that the tokens number
  WeightEdits edits = {};                         // of cross-attention, by step; must outlive its decoding
};

inline SourceBatch source_of(const Batch& batch, Precision precision = Precision::kFull) {
  return {.tokens = batch.source,
          .segments = batch.source_segments,
          .precision = precision,
          .pictures = batch.pictures.get()};
}

}  // namespace dhyan
