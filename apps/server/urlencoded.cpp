#include "server/urlencoded.h"

#include <algorithm>

#include "server/bad_request.h"

namespace dhyan::server {

namespace {

// The value of a hexadecimal digit; -1 for other characters.
int hex_digit(char c) {
  if ('0' <= c && c <= '9') return c - '0';
  if ('a' <= c && c <= 'f') return c - 'a' + 10;
  if ('A' <= c && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string form_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool room = text.size() - i > 2;
    const int high = text[i] == '%' && room ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low >= 0) {
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      decoded += text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

HttpFields parse_urlencoded(std::string_view text) {
  HttpFields fields;
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(field.size() + 1, text.size()));
    if (field.empty()) continue;
    if (fields.size() == kMaxFormFields) throw BadRequest(cat("the form has more than ", kMaxFormFields, " fields"));
    const std::size_t name_end = std::min(field.find('='), field.size());
    const std::string_view value = field.substr(std::min(name_end + 1, field.size()));
    fields.emplace_back(form_decoded(field.substr(0, name_end)), form_decoded(value));
  }
  return fields;
}

}  // namespace dhyan::server
