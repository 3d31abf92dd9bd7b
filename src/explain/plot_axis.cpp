#include "explain/plot_axis.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/number_text.h"

namespace dhyan {

namespace {

constexpr double kManyMagnitudes = 40;  // largest / smallest value from which a scale is logarithmic
constexpr double kLargest = 1e300;      // differences of larger values overflow

// The least 1, 2 or 5 times a power of ten that is at least `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

struct Ranges {
  double left = HUGE_VAL, right = -HUGE_VAL, least = HUGE_VAL, most = -HUGE_VAL;
};

Ranges ranges_of(const Plot& plot) {
  Ranges ranges;
  for (const PlotLine& line : plot.lines) {
    for (std::size_t i = 0; i < line.points.size(); ++i) {
      const Point& point = line.points[i];
      if (!is_drawn(plot, point)) continue;
      ranges.left = std::min(ranges.left, point.x);
      ranges.right = std::max(ranges.right, point.x);
      for (const double y : {point.y - spread_of(line, i), point.y, point.y + spread_of(line, i)}) {
        if (!is_drawn(plot, {point.x, y})) continue;
        ranges.least = std::min(ranges.least, y);
        ranges.most = std::max(ranges.most, y);
      }
    }
  }
  return ranges;
}

PlotAxis axis_of(Scale scale, double least, double most, int ticks) {
  const bool logarithmic =
      scale == Scale::kLogarithmic || (scale == Scale::kByRange && least > 0 && most / least >= kManyMagnitudes);
  return logarithmic ? logarithmic_axis(least, most) : even_axis(least, most, ticks);
}

}  // namespace

double PlotAxis::position(double value) const { return logarithmic ? std::log10(value) : value; }

std::string PlotAxis::tick_text(double tick) const {
  return decimals && std::abs(tick) < 1000 ? fixed(tick, *decimals) : plot_number(tick);
}

PlotAxis even_axis(double least, double most, int ticks) {
  if (least == most) {
    const double around = least == 0 ? 1 : std::abs(least) / 2;
    least -= around;
    most += around;
  }
  PlotAxis axis;
  const double step = round_step((most - least) / ticks);
  if (step < 1 && step >= 1e-4) axis.decimals = static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
  axis.low = std::floor(least / step + 1e-9) * step;
  axis.high = std::ceil(most / step - 1e-9) * step;
  for (int i = 0; axis.low + i * step <= axis.high + step / 2; ++i) {
    const double tick = axis.low + i * step;
    axis.ticks.push_back(std::abs(tick) < step / 2 ? 0 : tick);
  }
  return axis;
}

PlotAxis logarithmic_axis(double least, double most) {
  PlotAxis axis;
  axis.logarithmic = true;
  axis.low = std::floor(std::log10(least) + 1e-9);
  axis.high = std::max(axis.low + 1, std::ceil(std::log10(most) - 1e-9));
  const int every = std::max(1, static_cast<int>((axis.high - axis.low) / 5));
  for (double power = axis.low; power <= axis.high; power += every) axis.ticks.push_back(std::pow(10, power));
  return axis;
}

bool is_drawn(const Plot& plot, const Point& point) {
  return std::abs(point.x) <= kLargest && std::abs(point.y) <= kLargest &&
         (plot.scale != Scale::kLogarithmic || point.y > 0) &&
         (plot.scale_across != Scale::kLogarithmic || point.x > 0);
}

double spread_of(const PlotLine& line, std::size_t point) {
  return point < line.spreads.size() && std::abs(line.spreads[point]) <= kLargest ? line.spreads[point] : 0;
}

std::optional<PlotAxes> axes_of(const Plot& plot) {
  const Ranges ranges = ranges_of(plot);
  if (ranges.left > ranges.right) return std::nullopt;
  PlotAxes axes{axis_of(plot.scale_across, ranges.left, ranges.right, 5),
                axis_of(plot.scale, ranges.least, ranges.most, 4)};
  if (ranges.left < ranges.right) {
    axes.x.low = axes.x.position(ranges.left);
    axes.x.high = axes.x.position(ranges.right);
  }
  return axes;
}

std::string axis_name(std::string_view name, const PlotAxis& axis) {
  return cat(name, axis.logarithmic ? ", logarithmic" : "");
}

std::string up_name(const Plot& plot, const PlotAxis& axis) {
  return axis_name(plot.up.empty() ? plot.title : plot.up, axis);
}

}  // namespace dhyan
