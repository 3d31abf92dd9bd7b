#pragma once

#include <string_view>

namespace dhyan {

// How the page of lines looks, and what its buttons, pointer and keys do.
extern const std::string_view kLinePageStyle;
extern const std::string_view kLinePageScript;

}  // namespace dhyan
