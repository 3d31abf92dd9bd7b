#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace dhyan {

// For tests: the bytes of a safetensors file: the length of the header, the header, the data.
inline std::string file_of(std::string_view header, std::string_view data = {}) {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof(length), '\0');
  std::memcpy(bytes.data(), &length, sizeof(length));
  return bytes.append(header).append(data);
}

}  // namespace dhyan
