#pragma once

#include "explain/explanation.h"

namespace dhyan {

// A picture as SVG elements, without the <svg> around them.
struct Drawing {
  double width = 0;
  double height = 0;
  std::string elements;
  std::string title;  // title and description say what is to be seen to those who do not see it
  std::string description;
};

// Source across, target down, a cell the darker the greater its weight. Numbers stand in the cells where they fit.
Drawing draw_map(const AttentionMap& map);

// Small maps of one place, layers down and heads across; words stand at its edges where cells are large enough.
Drawing draw_grid(std::span<const AttentionMap> maps);

// One of these maps alone, without words, its cells of such a side.
Drawing draw_small(const AttentionMap& map, double cell);

// The one fixed vector between source and translation, a bar for each number, up or down.
Drawing draw_thought(const Explanation& explanation);

// What they are made with. How elements look is said by their classes: light, and dark where the reader prefers it.
extern const std::string_view kPictureStyle;
inline constexpr double kMargin = 12;
inline constexpr double kFontSize = 14;
inline constexpr double kDarkCell = 0.66;  // from this weight on, text on a cell has the page's colour

// Labels that are not too long for a picture, and how wide the widest will be. Nobody knows before a font is chosen:
// rather too wide.
std::vector<std::string> shortened(const std::vector<std::string>& labels);
double widest_estimate(const std::vector<std::string>& labels, double font_size);

struct Point {
  double x = 0;
  double y = 0;
};
std::string svg_text(std::string_view kind, Point at, std::string_view text, std::string_view attributes = "");

// Text in XML: marks escaped, nothing in it that XML has no place for.
std::string xml_text(std::string_view text);

}  // namespace dhyan
