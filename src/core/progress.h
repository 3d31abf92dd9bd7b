#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dhyan {

// Told of the advance of long work by whoever does it, often and from one thread at a time; decides itself what of it
// to show. The library never prints.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;

  // `done` of `total`, if the total is known, in `unit`s: "pairs", "bytes". May throw, to stop the work.
  virtual void update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view unit) = 0;
};

}  // namespace dhyan
