#pragma once

#include <string_view>

namespace dhyan {

// CSS of the page of lines, and JavaScript of its buttons, pointer and keys.
extern const std::string_view kLinePageStyle;
extern const std::string_view kLinePageScript;

}  // namespace dhyan
