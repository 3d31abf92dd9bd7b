#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace dhyan::server {

inline constexpr int kMaxJsonDepth = 32;                // objects and arrays inside each other
inline constexpr std::size_t kMaxJsonValues = 1 << 17;  // each takes up to 48 bytes of memory, for 3 in the text

// The object that a body holds. BadRequest if the text is not UTF-8, not JSON, deeper or longer than that, or no
// object; parsing stops at the first of these.
nlohmann::json parse_json_object(std::string_view text);

}  // namespace dhyan::server
