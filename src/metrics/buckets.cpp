#include "metrics/buckets.h"

#include <algorithm>
#include <functional>

#include "core/error.h"

namespace dhyan {

void check_bounds(std::span<const Index> bounds) {
  const auto wrong = std::ranges::adjacent_find(bounds, std::greater_equal());
  if (wrong == bounds.end()) return;
  throw UsageError(cat("buckets of lengths: ", wrong[1], " comes after ", wrong[0], "; expected lengths that ascend"));
}

std::vector<Bucket> by_length(const Metric& metric, std::span<const Counts> sentences, std::span<const Index> lengths,
                              std::span<const Index> bounds) {
  if (sentences.size() != lengths.size()) {
    throw UsageError(cat("by_length: ", sentences.size(), " sentences and ", lengths.size(), " lengths"));
  }
  check_bounds(bounds);
  std::vector<std::vector<Counts>> members(bounds.size() + 1);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto bound = std::ranges::lower_bound(bounds, lengths[i]);
    members[static_cast<std::size_t>(bound - bounds.begin())].push_back(sentences[i]);
  }
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].empty()) continue;
    buckets.push_back({.from = i == 0 ? 0 : bounds[i - 1] + 1,
                       .to = i < bounds.size() ? bounds[i] : -1,
                       .sentences = static_cast<Index>(members[i].size()),
                       .score = metric.score(sum_of(members[i]))});
  }
  return buckets;
}

}  // namespace dhyan
