#include "data/content_hash.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <vector>
#include <xxhash.h>

#include "core/error.h"

namespace dhyan {

struct ContentHash::State {
  struct Free {
    void operator()(XXH3_state_t* state) const noexcept { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> xxh{XXH3_createState()};
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) {
  if (!state_->xxh) throw std::bad_alloc();
  XXH3_64bits_reset(state_->xxh.get());
}

ContentHash::~ContentHash() = default;

ContentHash& ContentHash::add(std::span<const std::byte> bytes) {
  XXH3_64bits_update(state_->xxh.get(), bytes.data(), bytes.size());
  return *this;
}

ContentHash& ContentHash::add(std::uint64_t number) {
  std::array<std::byte, 8> bytes;
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(number);
    number >>= 8;
  }
  return add(bytes);
}

std::uint64_t ContentHash::value() const { return XXH3_64bits_digest(state_->xxh.get()); }

std::uint64_t content_hash(std::span<const std::byte> bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::uint64_t content_hash_of_file(const std::filesystem::path& path, const std::function<void()>& poll) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw IoError(cat(path.string(), ": cannot open: ", std::strerror(errno)));
  ContentHash hash;
  std::vector<char> buffer(std::size_t{1} << 18);
  do {
    if (poll) poll();
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    hash.add(std::as_bytes(std::span(buffer).first(static_cast<std::size_t>(file.gcount()))));
  } while (file);
  if (!file.eof()) throw IoError(cat(path.string(), ": cannot read: ", std::strerror(errno)));
  return hash.value();
}

}  // namespace dhyan
