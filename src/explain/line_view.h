#pragma once

#include "explain/drawing.h"
#include "explain/formats.h"

namespace dhyan {

// Attention as lines between two columns of words: attending words on the left, attended words on the right. Darker and
// thicker lines have greater weights; each head has a colour.

// The heads of one place and layer, or a single summary.
Drawing draw_lines(std::span<const AttentionMap> heads);

// One picture per place and layer, one below the other.
std::string lines_svg(const Explanation& explanation, const RenderOptions& options);
std::string lines_png(const Explanation& explanation, const RenderOptions& options);

// A page with buttons that show and hide layers and heads. A word under the pointer or arrow keys shows only its own
// lines.
std::string lines_html(const Explanation& explanation, const RenderOptions& options);

// The output formats of lines; formats() has those of maps.
std::span<const Format> line_formats();

}  // namespace dhyan
