#pragma once

#include <cstddef>
#include <span>

namespace dhyan {

// The kernel sends SIGBUS to a thread that reads a mapped file where the file has no bytes any more, because somebody
// has truncated it, or where the disk gives none. That would end the process without a word.

// Memory that is a mapped file, for as long as this lives.
class WatchedRange {
 public:
  explicit WatchedRange(std::span<const std::byte> bytes);
  ~WatchedRange();
  WatchedRange(const WatchedRange&) = delete;
  WatchedRange& operator=(const WatchedRange&) = delete;

  bool failed() const;  // a read of it has failed since it is watched

  struct Slot;

 private:
  Slot* slot_;
};

// From now on a read of a WatchedRange that fails finds zeros, and the range remembers; its owner is to ask failed()
// before anything computed from it is used. Any other SIGBUS does what it did before. For main(): a library leaves the
// signals of its process alone.
void catch_bus_errors();

}  // namespace dhyan
