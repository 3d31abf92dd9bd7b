#include "training/gradients.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/rows/reductions.h"

namespace dhyan {

namespace {

Index size_of(const Gradient& gradient) { return gradient.value().size(); }

Index element_count(const GradientSet& gradients) {
  Index elements = 0;
  for (const Gradient& gradient : gradients) elements += size_of(gradient);
  return elements;
}

// Calls f(begin, end) for the written parts of the elements [begin,end).
template <class F>
void for_each_touched(const Gradient& gradient, Index begin, Index end, const F& f) {
  if (gradient.all_touched()) return f(begin, end);
  const Index cols = gradient.value().cols();
  for (const RowId row : gradient.touched_rows()) {
    const Index from = std::max(begin, row * cols), to = std::min(end, (row + 1) * cols);
    if (from < to) f(from, to);
  }
}

std::span<Real> part(const Gradient& gradient, Index begin, Index end) {
  return gradient.value().span().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

// Calls f(elements) for all written elements of the chunk.
template <class F>
void for_each_touched_in(Index chunk, const GradientSet& gradients, const F& f) {
  for_each_piece(chunk, gradients, size_of, [&](std::size_t i, Index begin, Index end) {
    const Gradient& gradient = *(gradients.begin() + static_cast<Index>(i));
    for_each_touched(gradient, begin, end, [&](Index from, Index to) { f(part(gradient, from, to)); });
  });
}

}  // namespace

Index norm_groups(Index elements) { return std::min(chunk_count(elements), static_cast<Index>(kMostNormGroups)); }

NormSums norm_sums(const GradientSet& gradients, const ElementRange& share, ThreadPool* pool) {
  NormSums sums{};
  const Index elements = element_count(gradients), chunks = chunk_count(elements), groups = norm_groups(elements);
  run_chunks(pool, groups, [&](Index group) {
    double& sum = sums[static_cast<std::size_t>(group)];
    const Index begin = group * chunks / groups, end = (group + 1) * chunks / groups;
    if (begin * kChunkElements < share.begin || begin * kChunkElements >= share.end) return;
    for (Index chunk = begin; chunk < end; ++chunk) {
      for_each_touched_in(chunk, gradients, [&](std::span<Real> x) { sum += kernels::sum_of_squares(x); });
    }
  });
  return sums;
}

double norm_of(const NormSums& sums) {
  double total = 0;
  for (const double sum : sums) total += sum;
  return std::sqrt(total);
}

double global_norm(const GradientSet& gradients, ThreadPool* pool) {
  return norm_of(norm_sums(gradients, {0, element_count(gradients)}, pool));
}

void clip_to_norm(GradientSet& gradients, double norm, double max_norm, const ElementRange& share, ThreadPool* pool) {
  if (!(max_norm > 0)) throw ConfigError(cat("clip_by_global_norm: max_norm is ", max_norm, ", expected more than 0"));
  const double factor = max_norm / (norm + 1e-6);  // PyTorch's guard against division by zero
  if (!std::isfinite(norm) || factor >= 1) return;
  const Index first = share.begin / kChunkElements;
  run_chunks(pool, chunk_count(share.end) - first, [&](Index chunk) {
    for_each_touched_in(first + chunk, gradients,
                        [&](std::span<Real> x) { kernels::scale(x, static_cast<Real>(factor), x); });
  });
}

double clip_by_global_norm(GradientSet& gradients, double max_norm, ThreadPool* pool) {
  const double norm = global_norm(gradients, pool);
  clip_to_norm(gradients, norm, max_norm, {0, element_count(gradients)}, pool);
  return norm;
}

}  // namespace dhyan
