#include "kernels/elementwise/maxout.h"

#include <algorithm>

namespace dhyan::kernels {

void maxout(std::span<const Real> x, Index pool, std::span<Real> y) {
  const Real* group = x.data();
  for (Real& largest : y) {
    largest = *std::max_element(group, group + pool);
    group += pool;
  }
}

void maxout_backward(std::span<const Real> x, Index pool, std::span<const Real> dy, std::span<Real> dx) {
  Index begin = 0;
  for (const Real slope : dy) {
    const Real* group = x.data() + begin;
    dx[static_cast<std::size_t>(begin + (std::max_element(group, group + pool) - group))] += slope;
    begin += pool;
  }
}

}  // namespace dhyan::kernels
