#pragma once

#include <algorithm>
#include <span>

#include "core/thread_pool.h"

namespace dhyan::kernels {

// Which of `count` column ranges of a weight one thread computes.
struct ColumnPartition {
  Index index = 0, count = 1;
};

struct ColumnRange {
  Index begin, size;
};

// The columns of a partition: whole panels, but for the last.
inline ColumnRange columns_of(const ColumnPartition& partition, Index columns, Index panel_width) {
  const Index panels = (columns + panel_width - 1) / panel_width;
  const Index begin = panels * partition.index / partition.count * panel_width;
  const Index end = std::min(columns, panels * (partition.index + 1) / partition.count * panel_width);
  return {begin, end - begin};
}

// The bias of these columns; empty if there is no bias.
inline std::span<const Real> bias_of(std::span<const Real> bias, const ColumnRange& columns) {
  if (bias.empty()) return bias;
  return bias.subspan(static_cast<std::size_t>(columns.begin), static_cast<std::size_t>(columns.size));
}

inline const Real* data_or_null(std::span<const Real> bias) { return bias.empty() ? nullptr : bias.data(); }

struct GemmWork {
  Index weights;   // elements of the weight, which must be read from memory
  Index rows = 0;  // rows of x
};

// Calls work(partition) for all partitions, one per available thread. Handing a partition to another thread pays off if
// it takes about ten microseconds, to read the weights from memory or to multiply the rows.
template <class Work>
void partition_columns(const GemmWork& size, IntraOpThreads* intra_op, const Work& work) {
  constexpr Index kMinWork = Index{1} << 16, kRowsPerRead = 16;
  const Index useful = size.weights * (kRowsPerRead + size.rows) / (kMinWork * kRowsPerRead);
  const Index partitions = intra_op == nullptr ? 1 : std::clamp<Index>(useful, 1, 1 + intra_op->idle());
  if (partitions == 1) return work(ColumnPartition());
  intra_op->parallel_for(partitions, [&](Index i) { work(ColumnPartition{i, partitions}); });
}

}  // namespace dhyan::kernels
