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

// Every picture names its axes and ends with a line that says how to read it.
//
// Source across, target down, a cell the darker the greater its weight. Numbers stand in the cells where they fit.
Drawing draw_map(const AttentionMap& map);

// Small maps of one place, layers down and heads across. All maps of a column share the words above the first, all maps
// of a row the words left of the first; there are none where cells are too small for them.
Drawing draw_grid(std::span<const AttentionMap> maps);

// One of these maps alone, without words, its cells of such a side.
Drawing draw_small(const AttentionMap& map, double cell);

// The one fixed vector between source and translation, a bar for each number, up or down.
Drawing draw_context_vector(const Explanation& explanation);

// What they are made with. How elements look is said by their classes: light, and dark where the reader prefers it.
extern const std::string_view kPictureStyle;
inline constexpr double kMargin = 12;
inline constexpr double kFontSize = 14;
inline constexpr double kSmallSize = 12;    // of the font of axes, scales and reading lines
inline constexpr double kLineHeight = 1.4;  // of any font, in its size: Devanagari has marks above and below
inline constexpr double kDarkCell = 0.66;   // from this weight on, text on a cell has the page's colour
inline constexpr double kNarrowest = 420;   // width of a picture, so that its reading line has room

// Labels that are not too long for a picture, and how wide the widest will be. Nobody knows before a font is chosen:
// rather too wide.
std::vector<std::string> shortened(const std::vector<std::string>& labels);
double widest_estimate(const std::vector<std::string>& labels, double font_size);

struct Point {
  double x = 0;
  double y = 0;
};
std::string svg_text(std::string_view kind, Point at, std::string_view text, std::string_view attributes = "");

// The attribute that order a text about its own place.
std::string turned(double degrees, Point at);

// The name of an axis: of one that goes across, from a point on; of one that goes down, along its middle, or above its
// end if it is longer.
std::string axis_across(Point at, std::string_view name);
std::string axis_down(double top, double bottom, std::string_view name);

// What the darkness of a cell stands for, from 0 to 1; its upper left corner.
std::string weight_scale(Point at);
inline constexpr double kScaleHeight = 18;

// Adds lines below a picture that say how to read it, also to those who do not see it.
void append_reading(Drawing& drawing, std::string_view text);

// Text in XML: marks escaped, nothing in it that XML has no place for.
std::string xml_text(std::string_view text);

}  // namespace dhyan
