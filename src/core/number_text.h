#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace dhyan {

// The shortest text that parses to the same number, independent of locale.
template <class T>
std::string number_text(T number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

// As std::from_chars of double, which libc++ lacks before version 20.
std::from_chars_result real_from_chars(const char* begin, const char* end, double& number);

template <class T>
std::from_chars_result number_from_chars(const char* begin, const char* end, T& number) {
#ifndef __cpp_lib_to_chars  // only if it is complete
  if constexpr (std::is_floating_point_v<T>) {
    double real = 0;
    const std::from_chars_result read = real_from_chars(begin, end, real);
    if (read.ec == std::errc()) number = static_cast<T>(real);
    return read;
  } else
#endif
    return std::from_chars(begin, end, number);
}

// nullopt unless the whole text is a number of this type.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T number{};
  const auto [end, error] = number_from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "3.14": fixed-point with `decimals` decimals, for people; a dash for NaN and infinity.
inline std::string fixed(double number, int decimals) {
  if (!std::isfinite(number)) return "–";
  char digits[400];  // a double has at most 309 digits before the point
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed, decimals);
  std::string text(digits, end);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text.front() == '-' ? text.substr(1) : text;
}

// To six decimals, so that the text does not depend on the last bits.
inline double rounded(double number) {
  constexpr double kSteps = 1e6;
  return std::round(number * kSteps) / kSteps + 0.0;  // no -0
}

// "1,234,567".
inline std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

}  // namespace dhyan
