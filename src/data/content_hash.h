#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

namespace dhyan {

// XXH3, 64 bits, fed part by part: of content, against accidents and not against an adversary. The same on every
// machine.
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

// Of one piece at once; another `seed` gives another hash.
std::uint64_t content_hash(std::span<const std::byte> bytes, std::uint64_t seed = 0);

// Of the bytes of a file, read in pieces; `poll`, if there is one, is called before each, and may throw, to stop.
std::uint64_t content_hash_of_file(const std::filesystem::path& path, const std::function<void()>& poll = {});

}  // namespace dhyan
