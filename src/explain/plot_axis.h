#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explain/plot.h"

namespace dhyan {

// Maps values to positions on an axis of a plot.
struct PlotAxis {
  double low = 0, high = 1;  // log10 of the values if the axis is logarithmic
  bool logarithmic = false;
  std::vector<double> ticks;         // as values
  std::optional<int> decimals = {};  // of tick labels, if ticks are close

  double position(double value) const;  // value, or its logarithm
  double share(double value) const { return (position(value) - low) / (high - low); }
  std::string tick_text(double tick) const;
};

// Round ticks, about as many as asked for, from at most `least` to at least `most`.
PlotAxis even_axis(double least, double most, int ticks);
PlotAxis logarithmic_axis(double least, double most);  // both positive; a tick for each power of ten, or for some

// Axes that cover the drawn points and their spreads; x ends at the outermost points. Empty if no point is drawn.
struct PlotAxes {
  PlotAxis x, y;
};
std::optional<PlotAxes> axes_of(const Plot& plot);

bool is_drawn(const Plot& plot, const Point& point);
double spread_of(const PlotLine& line, std::size_t point);  // 0: none

// The name of an axis, which says if it is logarithmic.
std::string axis_name(std::string_view name, const PlotAxis& axis);
std::string up_name(const Plot& plot, const PlotAxis& axis);

}  // namespace dhyan
