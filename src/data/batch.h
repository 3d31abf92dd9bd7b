#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/segments.h"
#include "data/picture_source.h"
#include "data/token_links.h"

namespace dhyan {

// The sentences of one step, concatenated without padding.
//   Translation: each source and target ends with </s>. The decoder reads decoder_inputs() and predicts target.
//   Plain text: source is a stretch of text; target[i] is the token that follows source[i].
//   Captions: source[b] is the number of a picture; target is its caption, as in translation.
struct Batch {
  std::vector<TokenId> source;         // [ΣS]
  std::vector<TokenId> target;         // [ΣT]
  Segments source_segments;            // B sentences over ΣS rows
  Segments target_segments;            // B sentences over ΣT rows
  std::vector<std::uint64_t> numbers;  // [B]  indices of the pairs, counted over all corpora
  std::vector<TokenLink> links;        // within sentences, sorted by target; empty without alignments
  Segments link_segments;              // B sentences over the links
  std::shared_ptr<const PictureSource> pictures = nullptr;  // null: the source is text

  Index sentences() const { return static_cast<Index>(numbers.size()); }

  friend bool operator==(const Batch&, const Batch&) = default;
};

// One sentence pair of a batch, </s> included. Does not own its tokens.
struct Example {
  std::span<const TokenId> source;
  std::span<const TokenId> target;
  std::uint64_t number = 0;
  std::span<const TokenLink> links = {};
};

Batch make_batch(std::span<const Example> examples, std::shared_ptr<const PictureSource> pictures = nullptr);
Example example_of(const Batch& batch, Index sentence);

// For each sentence, <s> and the target without its last token.
std::vector<TokenId> decoder_inputs(const Batch& batch);  // [ΣT]

// Splits the batch into `shards` batches with about equally many tokens; with few sentences some are empty.
std::vector<Batch> cut_into_shards(const Batch& batch, int shards);

struct BatchLimits {
  Index max_tokens = 4096;  // per side; a longer sentence forms a batch alone
  Index max_sentences = 1024;
};

struct ExampleSize {
  Index source = 0;
  Index target = 0;
};

// The end index of each batch when the examples are batched in this order.
std::vector<std::size_t> batch_ends(std::span<const ExampleSize> sizes, const BatchLimits& limits);

}  // namespace dhyan
