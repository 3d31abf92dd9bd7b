#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dhyan {

// How many there will be, by how much of the input they came from; none if that is not known.
inline std::optional<std::uint64_t> estimated_total(std::uint64_t done, std::uint64_t bytes,
                                                    std::uint64_t bytes_in_all) {
  if (bytes == 0 || bytes_in_all == 0) return std::nullopt;
  const double share = static_cast<double>(bytes) / static_cast<double>(bytes_in_all);
  return share >= 1 ? done : static_cast<std::uint64_t>(static_cast<double>(done) / share) + 1;
}

// Told of the advance of long work by whoever does it, often and from one thread at a time; decides itself what of it
// to show. The library never prints.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;

  // `done` of `total`, if the total is known, in `unit`s: "sentences", "bytes". May throw, to stop the work.
  virtual void update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view unit) = 0;
};

}  // namespace dhyan
