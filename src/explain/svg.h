#pragma once

#include "explain/drawing.h"

namespace dhyan {

// A standalone picture in the viewer's colour scheme, light or dark. Several layers and heads form a grid; places are
// stacked.
std::string to_svg(const Explanation& explanation);

// The drawing of to_svg().
Drawing drawing_of(const Explanation& explanation);

// Joins drawings into one, from top to bottom.
Drawing stacked(const std::vector<Drawing>& drawings);

// A drawing as a standalone SVG file; `style` is CSS in addition to kPictureStyle.
std::string standalone_svg(const Drawing& drawing, std::string_view id, std::string_view style = {});

// A drawing as an element of a page that contains kPictureStyle; `id` is unique in the page.
std::string svg_element(const Drawing& drawing, std::string_view id);

// A drawing without a text alternative of its own, for a page element that has one.
std::string svg_image(const Drawing& drawing);

}  // namespace dhyan
