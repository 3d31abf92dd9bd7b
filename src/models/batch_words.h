#pragma once

#include <span>

#include "core/arena.h"
#include "core/rng.h"
#include "ops/latent_alignment.h"
#include "text/tokenizer.h"

namespace dhyan {

// The different words of a batch, each once, and the place of every word among them.
struct BatchWords {
  std::span<const RowId> sources;  // [K]
  std::span<const RowId> targets;  // [Q]  then words that are not in the batch, if some were drawn
  Index occurring = 0;             // targets that are in the batch
  WordPairs places;
};

// In the arena, in order of first occurrence. With `rng`, `negatives` words that do not occur are drawn from the target
// vocabulary, each with the same probability; fewer if there are fewer.
struct WordSides {
  std::span<const TokenId> source, target;
  Index source_vocabulary = 0, target_vocabulary = 0;
};
BatchWords batch_words(Arena& arena, const WordSides& sides, Index negatives = 0, Rng* rng = nullptr);

}  // namespace dhyan
