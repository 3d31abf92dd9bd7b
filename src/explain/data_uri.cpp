#include "explain/data_uri.h"

#include <cstdint>

#include "core/error.h"

namespace dhyan {

// RFC 4648: three bytes become four characters; = fills up the last four.
std::string data_uri(std::string_view media_type, std::string_view bytes) {
  constexpr std::string_view kCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string uri = cat("data:", media_type, ";base64,");
  uri.reserve(uri.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view part = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < part.size() ? static_cast<unsigned char>(part[k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) uri += k <= part.size() ? kCharacters[bits >> (18 - 6 * k) & 63] : '=';
  }
  return uri;
}

}  // namespace dhyan
