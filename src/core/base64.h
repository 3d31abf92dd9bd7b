#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dhyan {

// RFC 4648, with padding.
std::string base64(std::string_view bytes);

// Both alphabets, with or without padding; white space is passed over. Nothing for other text.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace dhyan
