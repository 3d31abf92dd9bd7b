#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dhyan::server {

inline constexpr std::size_t kMaxParts = 1000;
inline constexpr std::size_t kMaxPartHeader = 8192;  // bytes

// One part of a multipart/form-data body: a field, or a file.
struct FormPart {
  std::string name;
  bool is_file = false;
  std::string file_name;     // as the client sent it; never a path to open
  std::string content_type;  // empty if there is none
  std::string_view bytes;    // of the body
};

// The parts of a body ([RFC 7578]), in order. BadRequest if it is truncated, has too many parts or is of another form.
std::vector<FormPart> parse_multipart(std::string_view body, std::string_view boundary);

}  // namespace dhyan::server
