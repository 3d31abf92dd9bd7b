#pragma once

#include <string_view>

namespace dhyan {

// CSS and JavaScript of the page that shows attention over a picture.
extern const std::string_view kPicturePageStyle;
extern const std::string_view kPicturePageScript;

}  // namespace dhyan
