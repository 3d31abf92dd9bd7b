#pragma once

#include <algorithm>
#include <span>

#include "core/thread_pool.h"

namespace dhyan::kernels {

// Of the columns of a weight, those that one of several threads takes.
struct ColumnPartition {
  Index index = 0, count = 1;
};

struct ColumnRange {
  Index begin, size;
};

// Whole panels; only the last may not be.
inline ColumnRange columns_of(const ColumnPartition& partition, Index columns, Index panel_width) {
  const Index panels = (columns + panel_width - 1) / panel_width;
  const Index begin = panels * partition.index / partition.count * panel_width;
  const Index end = std::min(columns, panels * (partition.index + 1) / partition.count * panel_width);
  return {begin, end - begin};
}

// Of a bias, which may be empty.
inline std::span<const Real> some_of(std::span<const Real> bias, const ColumnRange& columns) {
  if (bias.empty()) return bias;
  return bias.subspan(static_cast<std::size_t>(columns.begin), static_cast<std::size_t>(columns.size));
}

inline const Real* data_or_null(std::span<const Real> bias) { return bias.empty() ? nullptr : bias.data(); }

struct WeightWork {
  Index weights;   // values of it that must come from memory
  Index rows = 0;  // that they are multiplied with
};

// work(partition) for all partitions, as many as there are threads to take them. One is worth its way to another thread
// if it takes ten microseconds, which it does because of what must come from memory or because of the rows.
template <class Work>
void partition_columns(const WeightWork& size, IntraOpThreads* intra_op, const Work& work) {
  constexpr Index kLeast = Index{1} << 16, kRowsWhileItComes = 16;
  const Index worth = size.weights * (kRowsWhileItComes + size.rows) / (kLeast * kRowsWhileItComes);
  const Index partitions = intra_op == nullptr ? 1 : std::clamp<Index>(worth, 1, 1 + intra_op->idle());
  if (partitions == 1) return work(ColumnPartition());
  intra_op->parallel_for(partitions, [&](Index i) { work(ColumnPartition{i, partitions}); });
}

}  // namespace dhyan::kernels
