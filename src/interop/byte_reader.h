#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/error.h"

namespace dhyan {

// Reads little-endian numbers and strings from the bytes of an untrusted file, front to back. ModelFileError, naming
// the file, where it ends too early.
class ByteReader {
 public:
  ByteReader(std::string_view where, std::span<const std::byte> bytes) : where_(where), all_(bytes), rest_(bytes) {}

  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }

  std::span<const std::byte> take(std::uint64_t length) {
    if (length > rest_.size()) {
      fail(cat("ends at byte ", all_.size(), ", ", length - rest_.size(), " bytes too early"));
    }
    const std::span<const std::byte> taken = rest_.first(static_cast<std::size_t>(length));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }

  std::string_view text(std::uint64_t length) {
    const std::span<const std::byte> taken = take(length);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  std::size_t left() const { return rest_.size(); }
  std::size_t position() const { return all_.size() - rest_.size(); }

  [[noreturn]] void fail(const std::string& what) const { throw ModelFileError(cat(where_, ": ", what)); }

 private:
  std::string_view where_;
  std::span<const std::byte> all_, rest_;
};

}  // namespace dhyan
