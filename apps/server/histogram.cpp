#include "server/histogram.h"

#include <algorithm>

namespace dhyan::server {

void Histogram::observe(double value) {
  const auto bucket = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
  ++counts_[static_cast<std::size_t>(bucket)];
  sum_ += value;
}

}  // namespace dhyan::server
