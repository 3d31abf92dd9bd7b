#pragma once

#include "explain/explanation.h"

namespace dhyan {

// For programs. What is no finite number is null in JSON and nothing in CSV.
std::string to_json(const Explanation& explanation);
// RFC 4180: lines end with CR LF. Positions count from 0, layers and heads from 1.
std::string to_csv(const Explanation& explanation);
std::string to_pharaoh(const Explanation& explanation);  // a line for each map of cross-attention

// What a line of text stands for in JSON and in CSV.
std::string json_string(std::string_view text);
std::string csv_field(std::string_view text);

}  // namespace dhyan
