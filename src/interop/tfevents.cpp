#include "interop/tfevents.h"

#include <array>
#include <bit>

namespace dhyan {

namespace {

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  constexpr std::uint32_t kReversedPolynomial = 0x82f63b78;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kReversedPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}();

template <class Number>
std::string little_endian(Number number) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof number; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
  return bytes;
}

// Protobuf: a field is its number and kind, then its value.
enum class Wire : std::uint64_t { kVarint = 0, kEightBytes = 1, kBytes = 2, kFourBytes = 5 };

std::string varint(std::uint64_t number) {
  std::string bytes;
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>((number & 0x7f) | 0x80);
  return bytes += static_cast<char>(number);
}

std::string tag(std::uint64_t field, Wire wire) { return varint(field << 3 | static_cast<std::uint64_t>(wire)); }

std::string field(std::uint64_t number, std::string_view bytes) {
  return tag(number, Wire::kBytes) + varint(bytes.size()).append(bytes);
}
std::string field(std::uint64_t number, double value) {
  return tag(number, Wire::kEightBytes) + little_endian(std::bit_cast<std::uint64_t>(value));
}
std::string field(std::uint64_t number, float value) {
  return tag(number, Wire::kFourBytes) + little_endian(std::bit_cast<std::uint32_t>(value));
}
std::string field(std::uint64_t number, std::int64_t value) {
  return tag(number, Wire::kVarint) + varint(static_cast<std::uint64_t>(value));
}

// TFRecord: length, its checksum, the bytes, their checksum.
std::string record(std::string_view bytes) {
  const std::string length = little_endian(static_cast<std::uint64_t>(bytes.size()));
  return length + little_endian(masked_crc32c(length)).append(bytes) + little_endian(masked_crc32c(bytes));
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char byte : bytes) crc = (crc >> 8) ^ kCrcTable[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
  return ~crc;
}

std::uint32_t masked_crc32c(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xa282ead8; }

// Event { double wall_time = 1; string file_version = 3; }
std::string tfevents_begin(double wall_time) {
  return record(field(1, wall_time) + field(3, std::string_view("brain.Event:2")));
}

// Event { double wall_time = 1; int64 step = 2; Summary summary = 5; }, Summary { repeated Value value = 1; },
// Value { string tag = 1; float simple_value = 2; }
std::string tfevents_scalars(double wall_time, std::int64_t step, std::span<const NamedScalar> scalars) {
  std::string summary;
  for (const NamedScalar& scalar : scalars) {
    summary += field(
        1, std::string_view(field(1, std::string_view(scalar.name)) + field(2, static_cast<float>(scalar.value))));
  }
  return record(field(1, wall_time) + field(2, step) + field(5, std::string_view(summary)));
}

}  // namespace dhyan
