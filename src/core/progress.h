#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dhyan {

// Extrapolates the total from the fraction of the input that was read; nullopt if the input's size is unknown.
inline std::optional<std::uint64_t> estimated_total(std::uint64_t done, std::uint64_t bytes,
                                                    std::uint64_t bytes_in_all) {
  if (bytes == 0 || bytes_in_all == 0) return std::nullopt;
  const double fraction = static_cast<double>(bytes) / static_cast<double>(bytes_in_all);
  return fraction >= 1 ? done : static_cast<std::uint64_t>(static_cast<double>(done) / fraction) + 1;
}

// Receives the progress of long work, often, from one thread at a time, and decides what to show: the library never
// prints.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;

  // `done` of `total`, if known, in `unit`s: "sentences", "bytes". May throw to stop the work.
  virtual void update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view unit) = 0;
};

}  // namespace dhyan
