#pragma once

#include <optional>
#include <string_view>

namespace dhyan {

// 0x41 for the byte piece "<0x41>"; empty for other pieces.
inline std::optional<unsigned char> byte_of(std::string_view piece) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece.back() != '>') return std::nullopt;
  const std::size_t high = kDigits.find(piece[3]), low = kDigits.find(piece[4]);
  if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned char>(high * 16 + low);
}

}  // namespace dhyan
