#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dhyan::server {

// Counts observations by size, as Prometheus does: a bucket holds those that are at most its bound and over the one
// before.
class Histogram {
 public:
  explicit Histogram(std::span<const double> bounds) : bounds_(bounds), counts_(bounds.size() + 1) {}

  void observe(double value);

  std::span<const double> bounds() const { return bounds_; }            // ascending; the storage is the caller's
  const std::vector<std::uint64_t>& counts() const { return counts_; }  // the last bucket has no bound
  double sum() const { return sum_; }

 private:
  std::span<const double> bounds_;
  std::vector<std::uint64_t> counts_;
  double sum_ = 0;
};

}  // namespace dhyan::server
