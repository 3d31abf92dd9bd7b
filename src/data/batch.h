#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/segments.h"
#include "data/token_links.h"

namespace dhyan {

// Sentences for one step, one after the other and without padding.
//   Translation: each source and each target ends with </s>. The decoder is given decoder_inputs() and learns target.
//   Plain text: source is a stretch of text, and target[i] is the token that follows source[i].
struct Batch {
  std::vector<TokenId> source;         // [ΣS]
  std::vector<TokenId> target;         // [ΣT]
  Segments source_segments;            // B sentences over ΣS rows
  Segments target_segments;            // B sentences over ΣT rows
  std::vector<std::uint64_t> numbers;  // [B]  which pairs they are, counted through all corpora
  std::vector<TokenLink> links;        // within sentences, sorted by target; none where alignments are not known
  Segments link_segments;              // B sentences over the links

  Index sentences() const { return static_cast<Index>(numbers.size()); }

  friend bool operator==(const Batch&, const Batch&) = default;
};

// One sentence pair as it goes into a batch, </s> included. Owns nothing.
struct Example {
  std::span<const TokenId> source;
  std::span<const TokenId> target;
  std::uint64_t number = 0;
  std::span<const TokenLink> links = {};
};

Batch make_batch(std::span<const Example> examples);
Example example_of(const Batch& batch, Index sentence);

// <s> and the target without its last token, sentence by sentence: what the decoder has seen before each token.
std::vector<TokenId> decoder_inputs(const Batch& batch);  // [ΣT]

// The batch cut into `shards` batches of about equally many tokens; some are empty if there are few sentences.
std::vector<Batch> cut_into_shards(const Batch& batch, int shards);

struct BatchLimits {
  Index max_tokens = 4096;  // of either side; a longer sentence has a batch of its own
  Index max_sentences = 1024;
};

struct ExampleSize {
  Index source = 0;
  Index target = 0;
};

// Where to end batches of examples that lie in this order; the last end is their number.
std::vector<std::size_t> batch_ends(std::span<const ExampleSize> sizes, const BatchLimits& limits);

}  // namespace dhyan
