#pragma once

#include <string_view>

namespace dhyan {

// How the page of steps looks, and what its buttons and keys do.
extern const std::string_view kStepPageStyle;
extern const std::string_view kStepPageScript;

}  // namespace dhyan
