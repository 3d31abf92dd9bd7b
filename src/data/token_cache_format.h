#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "core/real.h"

// The file of tokenised pairs, little-endian, written front to back:
//   magic     16 bytes, the version among them
//   blocks    of kBlockPairs records; the last may have fewer
//   index     {begin of the block, its checksum} for each block
//   trailer   kTrailerWords numbers, the last a checksum of those before it
// A record is varint(bytes that follow), varint(length of the source), source, target. For ids, lengths count tokens
// and every token is a varint; for text, they count bytes. The target is the rest of the record after the source. For
// aligned pairs the length of the target follows that of the source, and links follow the target, two varints each:
// source token, target token.
namespace dhyan::cache_format {

static_assert(std::endian::native == std::endian::little);

inline constexpr std::string_view kMagic = "dhyan tokens 01\n";
inline constexpr Index kBlockPairs = 64;
inline constexpr std::size_t kIndexEntryBytes = 16;
inline constexpr std::size_t kTrailerWords = 17;
inline constexpr std::size_t kTrailerBytes = 8 * kTrailerWords;
inline constexpr Index kLongestSide = 1 << 20;  // tokens, or bytes of text
inline constexpr std::uint64_t kLongestBlock = std::uint64_t{1} << 29;

using Trailer = std::array<std::uint64_t, kTrailerWords>;

struct IndexEntry {
  std::uint64_t begin;
  std::uint64_t checksum;  // of the block's bytes, seeded with the block's number
};
static_assert(sizeof(IndexEntry) == kIndexEntryBytes);

// LEB128: seven bits per byte, lowest first, the top bit set on all but the last.
inline void put_varint(std::vector<std::byte>& to, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::byte>(value | 0x80));
  to.push_back(static_cast<std::byte>(value));
}

// Removes a varint from the front of `bytes`; false without a valid one of at most 32 bits.
inline bool take_varint(std::span<const std::byte>& bytes, std::uint32_t& value) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 5; ++i) {
    const auto byte = static_cast<std::uint64_t>(bytes[i]);
    sum |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      bytes = bytes.subspan(i + 1);
      value = static_cast<std::uint32_t>(sum);
      return sum <= UINT32_MAX;
    }
  }
  return false;
}

}  // namespace dhyan::cache_format
