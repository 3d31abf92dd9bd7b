#include "core/number_text.h"

#include <cstdlib>

namespace dhyan {

namespace {

bool has_digit_but_0(std::string_view number) {
  return number.substr(0, number.find_first_of("eE")).find_first_of("123456789") != number.npos;
}

}  // namespace

// strtod reads more: spaces, "+" and hexadecimal numbers.
std::from_chars_result real_from_chars(const char* begin, const char* end, double& number) {
  std::string text(begin, end);  // strtod needs an end
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  if (text.find_first_of("0123456789.iInN", first) != first) return {begin, std::errc::invalid_argument};
  if (text.find_first_of("xX", first) == first + 1) text.resize(first + 1);
  char* rest = nullptr;
  const double read = std::strtod(text.c_str(), &rest);
  if (rest == text.c_str()) return {begin, std::errc::invalid_argument};
  const std::from_chars_result result{begin + (rest - text.c_str()), std::errc()};
  const std::string_view used = std::string_view(text).substr(0, static_cast<std::size_t>(rest - text.c_str()));
  const bool too_large = std::isinf(read) && has_digit_but_0(used), too_small = read == 0 && has_digit_but_0(used);
  if (too_large || too_small) return {result.ptr, std::errc::result_out_of_range};
  number = read;
  return result;
}

}  // namespace dhyan
