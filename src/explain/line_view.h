#pragma once

#include "explain/drawing.h"
#include "explain/formats.h"

namespace dhyan {

// Attention as lines between two columns of words: who looks on the left, what is looked at on the right. A line is the
// darker and thicker the greater its weight; each head has a colour.

// Maps of one place and layer, a head each, or one that sums up several.
Drawing draw_lines(std::span<const AttentionMap> heads);

// A picture for each place and layer, below one another.
std::string lines_svg(const Explanation& explanation, const RenderOptions& options);
std::string lines_png(const Explanation& explanation, const RenderOptions& options);

// A page on which layers and heads are switched on and off, and a word under pointer or arrow keys shows its lines
// only.
std::string lines_html(const Explanation& explanation, const RenderOptions& options);

// The formats it has, as formats() has those of maps.
std::span<const Format> line_formats();

}  // namespace dhyan
