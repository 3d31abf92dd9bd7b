#pragma once

#include <cstddef>
#include <span>

namespace dhyan {

// The kernel sends SIGBUS to a thread that reads a mapped file beyond the file's end, after another process has
// truncated it, or where the disk fails. By default that ends the process without a message.

// Registers the memory of a mapped file while it lives.
class WatchedRange {
 public:
  explicit WatchedRange(std::span<const std::byte> bytes);
  ~WatchedRange();
  WatchedRange(const WatchedRange&) = delete;
  WatchedRange& operator=(const WatchedRange&) = delete;

  bool failed() const;  // a read has failed since construction

  struct Slot;

 private:
  Slot* slot_;
};

// Installs a SIGBUS handler: a failing read of a WatchedRange finds zeros and sets failed(), which the owner must check
// before it uses results. Any other SIGBUS goes to the handler that was there before. main() calls this; a library must
// not change the signals of its process.
void catch_bus_errors();

}  // namespace dhyan
