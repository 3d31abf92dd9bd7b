#pragma once

#include "explain/drawing.h"

namespace dhyan {

struct PlotLine {
  std::string name;
  std::vector<Point> points;  // x ascending; what is no number, or too large to draw, is left out
};

// kByRange: by the logarithm, if all values are positive and far apart. The name of the axis says which it is.
enum class Scale { kLinear, kByRange };

// Lines over one axis.
struct Plot {
  std::string title;
  std::string across;  // what x is
  std::vector<PlotLine> lines;
  std::string up = "";       // what y is; by default the title
  std::string reading = "";  // how to read it, such as which way is better
  Scale scale = Scale::kLinear;
};

Drawing draw_plot(const Plot& plot);

// What it is drawn with, besides kPictureStyle: a colour and a dash for each line.
extern const std::string_view kPlotStyle;

// At most so many of a line's points, evenly, the last among them.
std::vector<Point> thinned(const std::vector<Point>& points, std::size_t most);

// A number for people, of a few digits: "0.0013", "2.41", "13,252".
std::string plot_number(double number);

}  // namespace dhyan
