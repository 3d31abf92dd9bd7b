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

// The one fixed vector between source and translation, a bar for each number, up or down.
Drawing draw_thought(const Explanation& explanation);

// What both are made with. How elements look is said by their classes: light, and dark where the reader prefers it.
extern const std::string_view kPictureStyle;
inline constexpr double kMargin = 12;
inline constexpr double kFontSize = 14;
inline constexpr double kDarkCell = 0.66;  // from this weight on, text on a cell has the page's colour

struct Point {
  double x = 0;
  double y = 0;
};
std::string svg_text(std::string_view kind, Point at, std::string_view text, std::string_view attributes = "");

// Text in XML: marks escaped, nothing in it that XML has no place for.
std::string xml_text(std::string_view text);

}  // namespace dhyan
