#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/http.h"

namespace dhyan::server {

std::string ascii_lowercase(std::string_view text);  // other bytes stay

std::string_view trimmed(std::string_view text);  // without the spaces and tabs around it

// Whether an Accept-Encoding names the coding, in lower case, with a weight above 0.
bool accepts_encoding(std::string_view header, std::string_view coding);

// A header value with parameters: Content-Type, Content-Disposition.
struct HeaderValue {
  std::string value;      // "multipart/form-data", in lower case
  HttpFields parameters;  // names in lower case, values without their quotes

  std::optional<std::string> parameter(std::string_view lower_case_name) const;  // the first of that name
};

// Accepts any bytes: what is not of the form `name=value` or `name="value"` is skipped. In quotes a backslash escapes
// only a quote or a backslash, since some clients send Windows paths as they are.
HeaderValue parse_header_value(std::string_view text);

}  // namespace dhyan::server
