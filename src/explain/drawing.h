#pragma once

#include "explain/explanation.h"

namespace dhyan {

// A picture as SVG elements, without the <svg> around them.
struct Drawing {
  double width = 0;
  double height = 0;
  std::string elements;
  std::string title;  // title and description are the picture's text alternative
  std::string description;
};

// Every picture names its axes and ends with a caption that says how to read it.
//
// Attended words across, attending words down; darker cells have greater weights. Cells that are large enough contain
// their weight.
Drawing draw_map(const AttentionMap& map);

// Small maps of one place, layers down and heads across. Words label only the first map of each row and column, and are
// left out if cells are too small for them.
Drawing draw_grid(std::span<const AttentionMap> maps);

// A single small map without words; `cell` is the side of a cell.
Drawing draw_small(const AttentionMap& map, double cell);

// The context vector of a model without attention, one bar per element.
Drawing draw_context_vector(const Explanation& explanation);

// The parts of a picture. CSS classes style its elements for light and dark colour schemes.
extern const std::string_view kPictureStyle;
inline constexpr double kMargin = 12;
inline constexpr double kFontSize = 14;
inline constexpr double kSmallSize = 12;    // font size of axes, scales and captions
inline constexpr double kLineHeight = 1.4;  // in font sizes: Devanagari has marks above and below the line
inline constexpr double kDarkCell = 0.66;   // from this weight on, text on a cell is light instead of dark
inline constexpr double kNarrowest = 420;   // least width of a picture, for its caption

// Labels cut to a length that fits a picture, and the width of the widest. The viewer chooses the font, so the estimate
// errs on the wide side.
std::vector<std::string> shortened(const std::vector<std::string>& labels);
double widest_estimate(const std::vector<std::string>& labels, double font_size);

struct Point {
  double x = 0;
  double y = 0;
};
std::string svg_text(std::string_view kind, Point at, std::string_view text, std::string_view attributes = "");

// The attribute that rotates a text about its position.
std::string turned(double degrees, Point at);

// The name of a horizontal axis, starting at a point; the name of a vertical axis, centred, or ending at the bottom if
// it is longer than the axis.
std::string axis_across(Point at, std::string_view name);
std::string axis_down(double top, double bottom, std::string_view name);

// A scale from weight 0 to 1; `at` is its upper left corner.
std::string weight_scale(Point at);
inline constexpr double kScaleHeight = 18;

// Appends a caption below a picture, and to its description.
void append_reading(Drawing& drawing, std::string_view text);

// Text for XML: special characters escaped, forbidden ones replaced.
std::string xml_text(std::string_view text);

}  // namespace dhyan
