#pragma once

#include "metrics/metric.h"

namespace dhyan {

// Sentences of like length, scored together.
struct Bucket {
  Index from = 0;
  Index to = 0;  // the last length; -1: no end
  Index sentences = 0;
  double score = 0;
};

// UsageError unless bounds of buckets ascend.
void check_bounds(std::span<const Index> bounds);

// One bucket up to each bound, and one beyond the last; without those that would be empty. `lengths` and `sentences`
// are of the same sentences; bounds ascend.
std::vector<Bucket> by_length(const Metric& metric, std::span<const Counts> sentences, std::span<const Index> lengths,
                              std::span<const Index> bounds);

}  // namespace dhyan
