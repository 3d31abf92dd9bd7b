#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

namespace dhyan {

// Incremental 64-bit XXH3: detects accidental changes, not an adversary's. The same on every machine.
class ContentHash {
 public:
  ContentHash();
  ~ContentHash();
  ContentHash(const ContentHash&) = delete;
  ContentHash& operator=(const ContentHash&) = delete;

  ContentHash& add(std::span<const std::byte> bytes);
  ContentHash& add(std::uint64_t number);
  std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The hash of one buffer; `seed` selects another hash function.
std::uint64_t content_hash(std::span<const std::byte> bytes, std::uint64_t seed = 0);

// The hash of a file, read in blocks; `poll` is called before each and may throw to stop.
std::uint64_t content_hash_of_file(const std::filesystem::path& path, const std::function<void()>& poll = {});

}  // namespace dhyan
