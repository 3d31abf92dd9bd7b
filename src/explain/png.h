#pragma once

#include "explain/explanation.h"
#include "explain/formats.h"

namespace dhyan {

// The picture of to_svg() as PNG, two pixels per unit. librsvg draws it and shapes every script that has a font. The
// library is loaded on first use; if it is missing, ConfigError names the package to install.
std::string to_png(const Explanation& explanation, const RenderOptions& options = {});
std::string svg_to_png(const std::string& svg, const RenderOptions& options = {});

// Names the first label that no font on this machine can show; empty if there is none.
std::string png_warning(const Explanation& explanation);
std::string font_warning(std::span<const std::string> labels);

}  // namespace dhyan
