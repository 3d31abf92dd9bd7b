#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace dhyan {

// The shortest text that gives the same number back, and the way back. Locales have no say in either.
template <class T>
std::string number_text(T number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

// Nothing if the text is not a number of this type, all of it.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace dhyan
