#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dhyan::server {

// Limits of a key; 0: no limit.
struct KeyLimits {
  long requests_per_minute = 0;
  long characters = 0;  // of one request
};

// The keys of a file. Each line has `key requests-per-minute characters`; "#" begins a comment.
class ApiKeys {
 public:
  static constexpr std::size_t kMaxKeys = 10000;
  static constexpr std::size_t kMaxKeyBytes = 128;

  ApiKeys() = default;  // none: every request is refused

  // IoError, or DataError with file and line. No message contains a key.
  explicit ApiKeys(const std::string& file);

  // The limits of a key; empty if it is none of the file's. The time it takes depends on the number of keys alone.
  std::optional<KeyLimits> find(std::string_view key) const;

  std::size_t size() const { return entries_.size(); }

 private:
  using PaddedKey = std::array<std::uint64_t, kMaxKeyBytes / 8>;  // zeros after the key, which has none
  struct Entry {
    PaddedKey key;
    KeyLimits limits;
  };

  static PaddedKey padded(std::string_view key);

  std::vector<Entry> entries_;
};

}  // namespace dhyan::server
