#include "core/base64.h"

#include <array>
#include <cstdint>

namespace dhyan {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr int kNoDigit = -1;

constexpr std::array<signed char, 256> digit_values() {
  std::array<signed char, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<signed char>(i);
  }
  values['-'] = values['+'];  // of the alphabet for URLs
  values['_'] = values['/'];
  return values;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kDigits[three >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  constexpr auto kValues = digit_values();
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  std::size_t digits = 0, padding = 0;
  for (const char c : text) {
    if (is_blank(c)) continue;
    if (c == '=') {
      if (++padding > 2) return std::nullopt;
      continue;
    }
    const int value = kValues[static_cast<unsigned char>(c)];
    if (value == kNoDigit || padding > 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if (++digits % 4 != 1) bytes += static_cast<char>(bits >> (6 - 2 * ((digits - 1) % 4)) & 255);
  }
  if (digits % 4 == 1 || (padding > 0 && (digits + padding) % 4 != 0)) return std::nullopt;
  return bytes;
}

}  // namespace dhyan
