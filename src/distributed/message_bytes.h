#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "distributed/communicator.h"

namespace dhyan {

// Builds the content of a message. All ranks run the same build on little-endian machines, as the handshake has found.
class MessageWriter {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    numbers(std::span<const T>(&value, 1));
  }

  template <class T>
  void numbers(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* begin = reinterpret_cast<const std::byte*>(values.data());
    bytes_.insert(bytes_.end(), begin, begin + values.size_bytes());
  }

  void text(std::string_view text) {
    number(static_cast<std::uint64_t>(text.size()));
    numbers(std::span(text.data(), text.size()));
  }

  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  std::size_t size() const { return bytes_.size(); }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

// Reads it, front to back. RankError if it is shorter than expected.
class MessageReader {
 public:
  explicit MessageReader(const Bytes& bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    T value{};
    numbers(std::span<T>(&value, 1));
    return value;
  }

  template <class T>
  void numbers(std::span<T> to) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::span<const std::byte> from = part(to.size_bytes());
    if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
  }

  std::string text() {
    const auto length = number<std::uint64_t>();
    const std::span<const std::byte> from = part(length);
    return {reinterpret_cast<const char*>(from.data()), from.size()};
  }

  std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> part(std::uint64_t length) {
    if (length > rest_.size()) {
      throw RankError(cat("a message between ranks ends ", length - rest_.size(), " bytes too early"));
    }
    const std::span<const std::byte> taken = rest_.first(static_cast<std::size_t>(length));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }

  std::span<const std::byte> rest_;
};

}  // namespace dhyan
