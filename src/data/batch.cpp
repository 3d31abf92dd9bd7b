#include "data/batch.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace dhyan {

namespace {

template <class T>
std::span<const T> part_of(const std::vector<T>& all, const Segments& segments, Index sentence) {
  return std::span(all).subspan(static_cast<std::size_t>(segments.begin(sentence)),
                                static_cast<std::size_t>(segments.length(sentence)));
}

Index tokens_of(const Batch& batch, Index sentence) {
  return batch.source_segments.length(sentence) + batch.target_segments.length(sentence);
}

}  // namespace

Batch make_batch(std::span<const Example> examples, std::shared_ptr<const PictureSource> pictures) {
  Batch batch;
  batch.pictures = std::move(pictures);
  std::vector<Index> source_lengths, target_lengths, link_counts;
  for (const Example& example : examples) {
    batch.source.insert(batch.source.end(), example.source.begin(), example.source.end());
    batch.target.insert(batch.target.end(), example.target.begin(), example.target.end());
    source_lengths.push_back(std::ssize(example.source));
    target_lengths.push_back(std::ssize(example.target));
    link_counts.push_back(std::ssize(example.links));
    batch.links.insert(batch.links.end(), example.links.begin(), example.links.end());
    batch.numbers.push_back(example.number);
  }
  batch.source_segments = Segments::from_lengths(source_lengths);
  batch.target_segments = Segments::from_lengths(target_lengths);
  batch.link_segments = Segments::from_lengths(link_counts);
  return batch;
}

Example example_of(const Batch& batch, Index sentence) {
  return {part_of(batch.source, batch.source_segments, sentence),
          part_of(batch.target, batch.target_segments, sentence), batch.numbers[static_cast<std::size_t>(sentence)],
          part_of(batch.links, batch.link_segments, sentence)};
}

std::vector<TokenId> decoder_inputs(const Batch& batch) {
  std::vector<TokenId> inputs;
  inputs.reserve(batch.target.size());
  for (Index b = 0; b < batch.sentences(); ++b) {
    const auto target = part_of(batch.target, batch.target_segments, b);
    if (target.empty()) continue;
    inputs.push_back(kBegin);
    inputs.insert(inputs.end(), target.begin(), target.end() - 1);
  }
  return inputs;
}

// Longest sentence first, each to the smallest shard. Sentences of a shard keep their order.
std::vector<Batch> cut_into_shards(const Batch& batch, int shards) {
  if (shards < 1) throw ConfigError(cat("cut_into_shards: ", shards, " shards, expected at least 1"));
  std::vector<Index> by_length(static_cast<std::size_t>(batch.sentences()));
  std::iota(by_length.begin(), by_length.end(), Index{0});
  std::ranges::stable_sort(by_length, std::ranges::greater(), [&](Index b) { return tokens_of(batch, b); });

  std::vector<Index> load(static_cast<std::size_t>(shards));
  std::vector<std::vector<Index>> members(load.size());
  for (const Index b : by_length) {
    const auto lightest = static_cast<std::size_t>(std::ranges::min_element(load) - load.begin());
    load[lightest] += tokens_of(batch, b);
    members[lightest].push_back(b);
  }
  std::vector<Batch> cut;
  for (std::vector<Index>& sentences : members) {
    std::ranges::sort(sentences);
    std::vector<Example> examples;
    for (const Index b : sentences) examples.push_back(example_of(batch, b));
    cut.push_back(make_batch(examples, batch.pictures));
  }
  return cut;
}

std::vector<std::size_t> batch_ends(std::span<const ExampleSize> sizes, const BatchLimits& limits) {
  if (limits.max_tokens < 1 || limits.max_sentences < 1) {
    throw ConfigError(cat("batches: at most ", limits.max_tokens, " tokens and ", limits.max_sentences,
                          " sentences, expected at least 1 of each"));
  }
  std::vector<std::size_t> ends;
  ExampleSize sum;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const ExampleSize next{sum.source + sizes[i].source, sum.target + sizes[i].target};
    const bool full =
        std::max(next.source, next.target) > limits.max_tokens || static_cast<Index>(i - begin) == limits.max_sentences;
    if (full && i > begin) {
      ends.push_back(i);
      begin = i;
      sum = sizes[i];
    } else {
      sum = next;
    }
  }
  if (begin < sizes.size()) ends.push_back(sizes.size());
  return ends;
}

}  // namespace dhyan
