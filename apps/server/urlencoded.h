#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/http.h"

namespace dhyan::server {

inline constexpr std::size_t kMaxFormFields = 1000;  // of one query string or body

// "%41" becomes "A", "+" a space. A "%" that two hexadecimal digits do not follow stays, as in browsers.
std::string form_decoded(std::string_view text);

// The fields of application/x-www-form-urlencoded, the format of query strings too, in order. The bytes may be no
// UTF-8. BadRequest if there are too many.
HttpFields parse_urlencoded(std::string_view text);

}  // namespace dhyan::server
