#include "explain/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "core/number_text.h"

namespace dhyan {

const std::string_view kPlotStyle =
    R"(.picture .grid { stroke: #e3e8ee; stroke-width: 1; }
.picture .tick { fill: #57606a; font-size: 12px; font-variant-numeric: tabular-nums; }
.picture .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.picture .line-0 { stroke: #08519c; } .picture .dot-0 { fill: #08519c; }
.picture .line-1 { stroke: #b3470b; stroke-dasharray: 7 3; } .picture .dot-1 { fill: #b3470b; }
.picture .line-2 { stroke: #2a6f2b; stroke-dasharray: 2 3; } .picture .dot-2 { fill: #2a6f2b; }
.picture .line-3 { stroke: #6f3596; stroke-dasharray: 9 3 2 3; } .picture .dot-3 { fill: #6f3596; }
@media (prefers-color-scheme: dark) {
  .picture .grid { stroke: #242c35; }
  .picture .tick { fill: #a5afba; }
  .picture .line-0 { stroke: #5ab0f5; } .picture .dot-0 { fill: #5ab0f5; }
  .picture .line-1 { stroke: #f0883e; } .picture .dot-1 { fill: #f0883e; }
  .picture .line-2 { stroke: #6cc66e; } .picture .dot-2 { fill: #6cc66e; }
  .picture .line-3 { stroke: #c69af0; } .picture .dot-3 { fill: #c69af0; }
}
)";

namespace {

constexpr double kPlotWidth = 540, kPlotHeight = 300;
constexpr double kLeft = 64, kRight = 28, kTop = 62, kBottom = 44;
constexpr std::size_t kColours = 4, kMostPoints = 600, kMostDots = 40;
constexpr double kManyMagnitudes = 40;  // largest / smallest value from which a scale is logarithmic

constexpr std::string_view kPlotReading = "Each dot, or bend of a line, is one measurement.";

constexpr double kLargest = 1e300;  // differences of larger values overflow

bool is_drawn(const Point& point) { return std::abs(point.x) <= kLargest && std::abs(point.y) <= kLargest; }

// Maps values to positions on an axis.
struct Axis {
  double low = 0, high = 1;  // log10 of the values if the axis is logarithmic
  bool logarithmic = false;
  std::vector<double> ticks;         // as values
  std::optional<int> decimals = {};  // of tick labels, if ticks are close

  double share(double value) const {
    const double at = logarithmic ? std::log10(value) : value;
    return (at - low) / (high - low);
  }
};

// The least 1, 2 or 5 times a power of ten that is at least `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

Axis even_axis(double least, double most, int ticks) {
  if (least == most) {
    const double around = least == 0 ? 1 : std::abs(least) / 2;
    least -= around;
    most += around;
  }
  Axis axis;
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

Axis logarithmic_axis(double least, double most) {
  Axis axis;
  axis.logarithmic = true;
  axis.low = std::floor(std::log10(least) + 1e-9);
  axis.high = std::max(axis.low + 1, std::ceil(std::log10(most) - 1e-9));
  const int every = std::max(1, static_cast<int>((axis.high - axis.low) / 5));
  for (double power = axis.low; power <= axis.high; power += every) axis.ticks.push_back(std::pow(10, power));
  return axis;
}

struct Ranges {
  double left = HUGE_VAL, right = -HUGE_VAL, least = HUGE_VAL, most = -HUGE_VAL;
  bool empty() const { return left > right; }
};

Ranges ranges_of(const Plot& plot) {
  Ranges ranges;
  for (const PlotLine& line : plot.lines) {
    for (const Point& point : line.points) {
      if (!is_drawn(point)) continue;
      ranges.left = std::min(ranges.left, point.x);
      ranges.right = std::max(ranges.right, point.x);
      ranges.least = std::min(ranges.least, point.y);
      ranges.most = std::max(ranges.most, point.y);
    }
  }
  return ranges;
}

struct PlotArea {
  Axis x, y;
  Point at(const Point& point) const {
    return {kLeft + x.share(point.x) * (kPlotWidth - kLeft - kRight),
            kPlotHeight - kBottom - y.share(point.y) * (kPlotHeight - kTop - kBottom)};
  }
};

std::string place(double number) { return fixed(number, 1); }

std::string tick_text(const Axis& axis, double tick) {
  return axis.decimals && std::abs(tick) < 1000 ? fixed(tick, *axis.decimals) : plot_number(tick);
}

std::string up_name(const PlotArea& area, const Plot& plot) {
  return cat(plot.up.empty() ? plot.title : plot.up, area.y.logarithmic ? ", logarithmic" : "");
}

void append_axes(std::string& svg, const PlotArea& area, const Plot& plot) {
  for (const double tick : area.y.ticks) {
    const std::string y = place(area.at({area.x.low, tick}).y);
    svg += cat("<line class=\"grid\" x1=\"", kLeft, "\" x2=\"", kPlotWidth - kRight, "\" y1=\"", y, "\" y2=\"", y,
               "\"/>\n");
    svg += svg_text("tick", {kLeft - 8, area.at({area.x.low, tick}).y + 4}, tick_text(area.y, tick),
                    " text-anchor=\"end\"");
  }
  for (const double tick : area.x.ticks) {
    if (area.x.share(tick) < -1e-9 || area.x.share(tick) > 1 + 1e-9) continue;
    const double x = kLeft + area.x.share(tick) * (kPlotWidth - kLeft - kRight);
    svg += cat("<line class=\"axis\" x1=\"", place(x), "\" x2=\"", place(x), "\" y1=\"", kPlotHeight - kBottom,
               "\" y2=\"", kPlotHeight - kBottom + 5, "\"/>\n");
    svg += svg_text("tick", {x, kPlotHeight - kBottom + 19}, tick_text(area.x, tick), " text-anchor=\"middle\"");
  }
  svg += cat("<line class=\"axis\" x1=\"", kLeft, "\" x2=\"", kPlotWidth - kRight, "\" y1=\"", kPlotHeight - kBottom,
             "\" y2=\"", kPlotHeight - kBottom, "\"/>\n");
  svg += axis_across({kLeft, kPlotHeight - 8}, plot.across);
  svg += axis_across({kMargin, kTop - 14}, up_name(area, plot));
}

void append_line(std::string& svg, const PlotArea& area, const PlotLine& line, std::size_t colour) {
  std::string path, dots;
  const std::vector<Point> points = thinned(line.points, kMostPoints);
  const bool dotted = points.size() <= kMostDots;
  for (const Point& point : points) {
    if (!is_drawn(point)) continue;
    const Point at = area.at(point);
    path += cat(path.empty() ? "M" : "L", place(at.x), ' ', place(at.y));
    if (dotted) {
      dots += cat(
          "<circle class=\"dot-", colour, "\" cx=\"", place(at.x), "\" cy=\"", place(at.y), "\" r=\"3\"><title>",
          xml_text(cat(line.name, ": ", plot_number(point.y), " at ", plot_number(point.x))), "</title></circle>\n");
    }
  }
  if (!path.empty()) svg += cat("<path class=\"line line-", colour, "\" d=\"", path, "\"/>\n", dots);
}

void append_legend(std::string& svg, const Plot& plot) {
  double x = kPlotWidth - kRight;
  for (std::size_t i = plot.lines.size(); i-- > 0;) {
    if (plot.lines[i].name.empty()) continue;
    x -= widest_estimate({plot.lines[i].name}, kSmallSize);
    svg += svg_text("tick", {x, kMargin + kFontSize}, plot.lines[i].name);
    svg += cat("<line class=\"line line-", i % kColours, "\" x1=\"", place(x - 30), "\" x2=\"", place(x - 6),
               "\" y1=\"", kMargin + kFontSize - 4, "\" y2=\"", kMargin + kFontSize - 4, "\"/>\n");
    x -= 46;
  }
}

// "loss falls from 6.38 at 50 to 2.41 at 3,000." for each line.
std::string plot_in_words(const Plot& plot) {
  std::string text;
  for (const PlotLine& line : plot.lines) {
    if (line.points.empty()) continue;
    const Point &first = line.points.front(), &last = line.points.back();
    text += cat(text.empty() ? "" : " ", line.name, ": from ", plot_number(first.y), " at ", plot.across, ' ',
                plot_number(first.x), " to ", plot_number(last.y), " at ", plot_number(last.x), '.');
  }
  return text;
}

}  // namespace

std::vector<Point> thinned(const std::vector<Point>& points, std::size_t most) {
  if (points.size() <= most || most < 2) return points;
  std::vector<Point> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(points[i * (points.size() - 1) / (most - 1)]);
  return some;
}

std::string plot_number(double number) {
  if (!std::isfinite(number)) return "–";
  const double size = std::abs(number);
  if (size >= 1e15 || (size > 0 && size < 1e-3)) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, number, std::chars_format::general, 3).ptr};
  }
  if (size >= 1000) return cat(number < 0 ? "-" : "", grouped(static_cast<std::uint64_t>(std::llround(size))));
  std::string text = fixed(number, size >= 100 ? 1 : size >= 1 ? 2 : 4);
  if (text.find('.') != text.npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

Drawing draw_plot(const Plot& plot) {
  Drawing drawing{kPlotWidth, kPlotHeight, "", plot.title, plot_in_words(plot)};
  drawing.elements += svg_text("heading", {kMargin, kMargin + kFontSize}, plot.title);
  const Ranges ranges = ranges_of(plot);
  if (ranges.empty()) {
    drawing.elements += svg_text("tick", {kLeft, kPlotHeight / 2}, "nothing to draw");
    return drawing;
  }
  const bool logarithmic =
      plot.scale == Scale::kByRange && ranges.least > 0 && ranges.most / ranges.least >= kManyMagnitudes;
  PlotArea area{even_axis(ranges.left, ranges.right, 5),
                logarithmic ? logarithmic_axis(ranges.least, ranges.most) : even_axis(ranges.least, ranges.most, 4)};
  if (ranges.left < ranges.right) {
    area.x.low = ranges.left;
    area.x.high = ranges.right;
  }
  append_axes(drawing.elements, area, plot);
  for (std::size_t i = 0; i < plot.lines.size(); ++i) append_line(drawing.elements, area, plot.lines[i], i % kColours);
  append_legend(drawing.elements, plot);
  append_reading(drawing, cat(plot.reading.empty() ? kPlotReading : plot.reading, " Across: ", plot.across,
                              "; up: ", up_name(area, plot), "."));
  return drawing;
}

}  // namespace dhyan
