#include "explain/plot.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/number_text.h"
#include "explain/plot_axis.h"

namespace dhyan {

namespace {

constexpr double kPlotWidth = 540, kPlotHeight = 300;
constexpr double kLeft = 64, kRight = 28, kTop = 62, kBottom = 44, kLegendRow = 18;
constexpr std::size_t kMostPoints = 600, kMostDots = 40, kFewMarks = 8;

constexpr std::string_view kPlotReading = "Each dot, or bend of a line, is one measurement.";

struct PlotArea {
  PlotAxis x, y;
  double top = kTop;  // below title and legend
  double height() const { return kPlotHeight + top - kTop; }
  double bottom() const { return height() - kBottom; }
  Point at(const Point& point) const {
    return {kLeft + x.share(point.x) * (kPlotWidth - kLeft - kRight), bottom() - y.share(point.y) * (bottom() - top)};
  }
};

void append_axes(std::string& svg, const PlotArea& area, const Plot& plot) {
  const double bottom = area.bottom();
  for (const double tick : area.y.ticks) {
    const double at = bottom - area.y.share(tick) * (bottom - area.top);
    const std::string y = plot_place(at);
    svg += cat("<line class=\"grid\" x1=\"", kLeft, "\" x2=\"", kPlotWidth - kRight, "\" y1=\"", y, "\" y2=\"", y,
               "\"/>\n");
    svg += svg_text("tick", {kLeft - 8, at + 4}, area.y.tick_text(tick), " text-anchor=\"end\"");
  }
  for (const double tick : area.x.ticks) {
    if (area.x.share(tick) < -1e-9 || area.x.share(tick) > 1 + 1e-9) continue;
    const double x = kLeft + area.x.share(tick) * (kPlotWidth - kLeft - kRight);
    svg += cat("<line class=\"axis\" x1=\"", plot_place(x), "\" x2=\"", plot_place(x), "\" y1=\"", bottom, "\" y2=\"",
               bottom + 5, "\"/>\n");
    svg += svg_text("tick", {x, bottom + 19}, area.x.tick_text(tick), " text-anchor=\"middle\"");
  }
  svg += cat("<line class=\"axis\" x1=\"", kLeft, "\" x2=\"", kPlotWidth - kRight, "\" y1=\"", bottom, "\" y2=\"",
             bottom, "\"/>\n");
  svg += axis_across({kLeft, area.height() - 8}, axis_name(plot.across, area.x));
  svg += axis_across({kMargin, area.top - 14}, up_name(plot, area.y));
}

// A mark at each point of a short line; if there are many lines, at a few points of a long one.
bool is_marked(std::size_t point, std::size_t points, const Plot& plot, std::size_t line) {
  if (points <= kMostDots) return true;
  const std::size_t every = points / kFewMarks;
  return plot.lines.size() > 2 && (point + line * every / plot.lines.size()) % every == 0;
}

void append_line(std::string& svg, const PlotArea& area, const Plot& plot, std::size_t number) {
  const PlotLine& line = plot.lines[number];
  const std::size_t style = number % kPlotStyles;
  std::string path, marks;
  const std::vector<Point> points = thinned(line.points, kMostPoints);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    if (!is_drawn(plot, point)) continue;
    const Point at = area.at(point);
    path += cat(path.empty() ? "M" : "L", plot_place(at.x), ' ', plot_place(at.y));
    if (!is_marked(i, points.size(), plot, number)) continue;
    marks += plot_mark(style, at, cat(line.name, ": ", plot_number(point.y), " at ", plot_number(point.x)));
    const double spread = points.size() == line.points.size() ? spread_of(line, i) : 0;
    if (spread <= 0) continue;
    const double low =
        is_drawn(plot, {point.x, point.y - spread}) ? area.at({point.x, point.y - spread}).y : area.bottom();
    marks += plot_whisker(style, {at.x, low}, {at.x, area.at({point.x, point.y + spread}).y});
  }
  if (!path.empty()) svg += cat("<path class=\"line line-", style, "\" d=\"", path, "\"/>\n", marks);
}

constexpr double kSample = 30, kAfterSample = 46;  // of a line in the legend

// Beside the title if it fits there, else in rows below it; returns the height of these.
double append_legend(std::string& svg, const Plot& plot) {
  double width = widest_estimate({plot.title}, kFontSize);
  for (const PlotLine& line : plot.lines) {
    if (!line.name.empty()) width += kAfterSample + widest_estimate({line.name}, kSmallSize);
  }
  const double room = kPlotWidth - kRight - kMargin;
  const bool beside = width <= room;
  double x = beside ? kPlotWidth - kRight - (width - widest_estimate({plot.title}, kFontSize)) : kMargin;
  double y = kMargin + kFontSize + (beside ? 0 : kLegendRow + 4);
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    if (plot.lines[i].name.empty()) continue;
    const double name = widest_estimate({plot.lines[i].name}, kSmallSize);
    if (!beside && x > kMargin && x + kAfterSample + name > kPlotWidth - kRight) {
      x = kMargin;
      y += kLegendRow;
    }
    svg += cat("<line class=\"line line-", i % kPlotStyles, "\" x1=\"", plot_place(x), "\" x2=\"",
               plot_place(x + kSample), "\" y1=\"", y - 4, "\" y2=\"", y - 4, "\"/>\n");
    if (plot.lines.size() > 1) svg += plot_mark(i % kPlotStyles, {x + kSample / 2, y - 4}, "");
    svg += svg_text("tick", {x + kSample + 6, y}, plot.lines[i].name);
    x += kAfterSample + name;
  }
  return beside ? 0 : y - kMargin - kFontSize;
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
  const std::optional<PlotAxes> axes = axes_of(plot);
  if (!axes) {
    drawing.elements += svg_text("tick", {kLeft, kPlotHeight / 2}, "nothing to draw");
    return drawing;
  }
  PlotArea area{axes->x, axes->y};
  area.top += append_legend(drawing.elements, plot);
  drawing.height = area.height();
  append_axes(drawing.elements, area, plot);
  for (std::size_t i = 0; i < plot.lines.size(); ++i) append_line(drawing.elements, area, plot, i);
  append_reading(drawing, cat(plot.reading.empty() ? kPlotReading : plot.reading,
                              " Across: ", axis_name(plot.across, area.x), "; up: ", up_name(plot, area.y), "."));
  return drawing;
}

}  // namespace dhyan
