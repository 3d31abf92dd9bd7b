#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace dhyan {

// Bytes that are read from a file, or written to one, at once.
inline constexpr std::size_t kBlock = 1 << 16;

// The bytes of a file from its start, decompressed.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills the front of `into`; how many bytes, 0 only at the end.
  virtual std::size_t read(std::span<char> into) = 0;

  // Are there bytes to be read, or the end, within that time? For input that somebody types or a program sends.
  virtual bool ready(std::chrono::milliseconds) { return true; }

  virtual std::uint64_t bytes_read() const = 0;    // from the disk, before decompression
  virtual std::uint64_t bytes_in_all() const = 0;  // of the file; 0 if unknown
};

// Opens a file, or standard input for "-". Whether it is gzip or zstd is told by its first bytes, not by its name.
// `poll`, if there is one, is called before every block that is read, and may throw. IoError if the file cannot be
// opened or read, DataError if compressed data end early or are damaged.
std::unique_ptr<ByteSource> open_bytes(const std::string& file, std::function<void()> poll = {});

// The name to be shown for a file: "standard input" for "-".
std::string shown_name(const std::string& file);

}  // namespace dhyan
