#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace dhyan {

// Bytes per read or write of a file.
inline constexpr std::size_t kBlock = 1 << 16;

// The bytes of a file from its start, decompressed.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills the front of `into` and returns the number of bytes; 0 only at the end.
  virtual std::size_t read(std::span<char> into) = 0;

  // Whether bytes or the end arrive within that time; for terminals and pipes.
  virtual bool ready(std::chrono::milliseconds) { return true; }

  virtual std::uint64_t bytes_read() const = 0;    // from the disk, before decompression
  virtual std::uint64_t bytes_in_all() const = 0;  // of the file; 0 if unknown
};

// Opens a file, or standard input for "-". The first bytes, not the name, tell gzip and zstd.
// `poll` is called before every block and may throw to stop. IoError if the file cannot be opened or read, DataError if
// compressed data are truncated or damaged.
std::unique_ptr<ByteSource> open_bytes(const std::string& file, std::function<void()> poll = {});

// The name of a file for messages: "standard input" for "-".
std::string shown_name(const std::string& file);

}  // namespace dhyan
