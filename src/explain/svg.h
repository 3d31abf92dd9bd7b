#pragma once

#include "explain/drawing.h"

namespace dhyan {

// A standalone picture: light or dark as its viewer is set. Several layers and heads are a grid; places stand below one
// another.
std::string to_svg(const Explanation& explanation);

// What to_svg draws.
Drawing drawing_of(const Explanation& explanation);

// Drawings below one another, as one.
Drawing stacked(const std::vector<Drawing>& drawings);

// A drawing as a picture of its own.
std::string standalone_svg(const Drawing& drawing, std::string_view id);

// A drawing as an element of a page, which has kPictureStyle once; `id` is unique in the page.
std::string svg_element(const Drawing& drawing, std::string_view id);

// The same, inside of an element of the page that says in words what it shows.
std::string svg_image(const Drawing& drawing);

}  // namespace dhyan
