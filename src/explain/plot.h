#pragma once

#include "explain/drawing.h"

namespace dhyan {

struct PlotLine {
  std::string name;
  std::vector<Point> points;         // x ascending; NaN, infinite and huge values are not drawn
  std::vector<double> spreads = {};  // of each point, up and down; empty: none
};

// kByRange: logarithmic if all values are positive and span many magnitudes. kLogarithmic: values that are not positive
// are not drawn. The name of the axis says so.
enum class Scale { kLinear, kByRange, kLogarithmic };

// Lines that share their axes.
struct Plot {
  std::string title;
  std::string across;  // name of x
  std::vector<PlotLine> lines;
  std::string up = "";       // name of y; by default the title
  std::string reading = "";  // caption, such as which direction is better
  Scale scale = Scale::kLinear;
  Scale scale_across = Scale::kLinear;
};

// Lines differ in colour, dashes and marks, so that they can be told apart without colours.
Drawing draw_plot(const Plot& plot);

// The plot for a terminal: a letter for each line.
std::string plot_text(const Plot& plot);

// A value with a spread for each name: names down, values across.
struct DotPlot {
  std::string title;
  std::string across;  // name of the values
  struct Row {
    std::string name;
    double value = 0;  // NaN and infinite values are not drawn
    double spread = 0;
  };
  std::vector<Row> rows;
  std::string reading = "";
};
Drawing draw_dot_plot(const DotPlot& plot);

// CSS in addition to kPictureStyle: a colour and a dash pattern for each line, of which there are kPlotStyles.
extern const std::string_view kPlotStyle;
inline constexpr std::size_t kPlotStyles = 8;

// The mark of a line at a place: its shape, too, says which line it belongs to.
std::string plot_mark(std::size_t style, Point at, std::string_view title);
std::string plot_whisker(std::size_t style, Point from, Point to);
std::string plot_place(double position);  // a coordinate, to a tenth

// At most `most` points at equal distances, including the last.
std::vector<Point> thinned(const std::vector<Point>& points, std::size_t most);

// A number with a few digits for people: "0.0013", "2.41", "13,252".
std::string plot_number(double number);

}  // namespace dhyan
