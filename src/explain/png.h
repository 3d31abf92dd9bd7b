#pragma once

#include "explain/explanation.h"

namespace dhyan {

// The picture of to_svg in pixels, two for each of its units. Drawn by librsvg, which shapes Devanagari and whatever
// else there is a font for; it is loaded when it is asked for, and ConfigError says what to install if it is not there.
std::string to_png(const Explanation& explanation);
std::string svg_to_png(const std::string& svg);

// Names the first label there is no font for on this machine; nothing if there is none such.
std::string png_warning(const Explanation& explanation);

}  // namespace dhyan
