#pragma once

#include <string_view>

namespace dhyan {

// Of this library, as in "0.1.0".
std::string_view version();

}  // namespace dhyan
