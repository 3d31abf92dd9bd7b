#pragma once

#include "explain/explanation.h"

namespace dhyan {

// Formats for programs. NaN and infinity are null in JSON and an empty field in CSV.
std::string to_json(const Explanation& explanation);
// RFC 4180: lines end with CR LF. Positions count from 0, layers and heads from 1.
std::string to_csv(const Explanation& explanation);
std::string to_pharaoh(const Explanation& explanation);  // one line per map of cross-attention

// A text as a JSON string and as a CSV field.
std::string json_string(std::string_view text);
std::string csv_field(std::string_view text);

}  // namespace dhyan
