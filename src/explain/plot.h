#pragma once

#include "explain/drawing.h"

namespace dhyan {

struct PlotLine {
  std::string name;
  std::vector<Point> points;  // x ascending; NaN, infinite and huge values are not drawn
};

// kByRange: logarithmic if all values are positive and span many magnitudes. The name of the axis says so.
enum class Scale { kLinear, kByRange };

// Lines that share their axes.
struct Plot {
  std::string title;
  std::string across;  // name of x
  std::vector<PlotLine> lines;
  std::string up = "";       // name of y; by default the title
  std::string reading = "";  // caption, such as which direction is better
  Scale scale = Scale::kLinear;
};

Drawing draw_plot(const Plot& plot);

// CSS in addition to kPictureStyle: a colour and a dash pattern for each line.
extern const std::string_view kPlotStyle;

// At most `most` points at equal distances, including the last.
std::vector<Point> thinned(const std::vector<Point>& points, std::size_t most);

// A number with a few digits for people: "0.0013", "2.41", "13,252".
std::string plot_number(double number);

}  // namespace dhyan
