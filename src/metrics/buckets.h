#pragma once

#include "metrics/metric.h"

namespace dhyan {

// Sentences of similar length, scored together.
struct Bucket {
  Index from = 0;
  Index to = 0;  // the largest length; -1: no limit
  Index sentences = 0;
  double score = 0;
};

// UsageError unless the bounds ascend.
void check_bounds(std::span<const Index> bounds);

// One bucket up to each bound and one above the last, without empty ones. `lengths` and `sentences` have the same
// order; bounds ascend.
std::vector<Bucket> by_length(const Metric& metric, std::span<const Counts> sentences, std::span<const Index> lengths,
                              std::span<const Index> bounds);

}  // namespace dhyan
