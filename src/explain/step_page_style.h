#pragma once

#include <string_view>

namespace dhyan {

// CSS of the page of steps, and JavaScript of its buttons and keys.
extern const std::string_view kStepPageStyle;
extern const std::string_view kStepPageScript;

}  // namespace dhyan
