#include "translator/source_batches.h"

#include <algorithm>

namespace dhyan {

std::vector<SourceSentences> source_batches(std::span<const std::span<const TokenId>> sources,
                                            const BatchLimits& limits) {
  std::vector<std::size_t> order;
  for (std::size_t place = 0; place < sources.size(); ++place) {
    if (!sources[place].empty()) order.push_back(place);
  }
  const auto length = [&](std::size_t place) { return std::ssize(sources[place]); };
  std::ranges::stable_sort(order, std::ranges::greater(), length);

  std::vector<ExampleSize> sizes;
  for (const std::size_t place : order) sizes.push_back({.source = length(place)});
  std::vector<SourceSentences> batches;
  std::size_t begin = 0;
  for (const std::size_t end : batch_ends(sizes, limits)) {
    SourceSentences& batch = batches.emplace_back();
    batch.places.assign(order.begin() + static_cast<Index>(begin), order.begin() + static_cast<Index>(end));
    for (const std::size_t place : batch.places) {
      batch.tokens.insert(batch.tokens.end(), sources[place].begin(), sources[place].end());
      batch.lengths.push_back(length(place));
    }
    begin = end;
  }
  return batches;
}

}  // namespace dhyan
