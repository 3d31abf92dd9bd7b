#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "explain/plot.h"
#include "explain/plot_axis.h"

namespace dhyan {

namespace {

constexpr double kDotWidth = 540, kDotRow = 22, kDotTop = 44, kDotBottom = 44, kDotRight = 28;

// The rows in words: "dot: 91.2 ± 0.4."
std::string rows_in_words(const DotPlot& plot) {
  std::string text;
  for (const DotPlot::Row& row : plot.rows) {
    text += cat(text.empty() ? "" : " ", row.name, ": ", plot_number(row.value),
                row.spread > 0 ? cat(" ± ", plot_number(row.spread)) : "", '.');
  }
  return text;
}

PlotAxis dot_axis_of(const DotPlot& plot) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const DotPlot::Row& row : plot.rows) {
    if (!std::isfinite(row.value) || !std::isfinite(row.spread)) continue;
    least = std::min(least, row.value - row.spread);
    most = std::max(most, row.value + row.spread);
  }
  return least <= most ? even_axis(least, most, 5) : PlotAxis();
}

}  // namespace

Drawing draw_dot_plot(const DotPlot& plot) {
  std::vector<std::string> names;
  for (const DotPlot::Row& row : plot.rows) names.push_back(row.name);
  const double left = 2 * kMargin + widest_estimate(names, kSmallSize);
  const double bottom = kDotTop + kDotRow * static_cast<double>(plot.rows.size());
  Drawing drawing{std::max(kDotWidth, left + 240), bottom + kDotBottom, "", plot.title, rows_in_words(plot)};
  const PlotAxis axis = dot_axis_of(plot);
  const auto x_of = [&](double value) { return left + axis.share(value) * (drawing.width - kDotRight - left); };
  drawing.elements += svg_text("heading", {kMargin, kMargin + kFontSize}, plot.title);
  for (const double tick : axis.ticks) {
    const std::string x = plot_place(x_of(tick));
    drawing.elements +=
        cat("<line class=\"grid\" x1=\"", x, "\" x2=\"", x, "\" y1=\"", kDotTop, "\" y2=\"", bottom, "\"/>\n");
    drawing.elements += svg_text("tick", {x_of(tick), bottom + 17}, axis.tick_text(tick), " text-anchor=\"middle\"");
  }
  double y = kDotTop - kDotRow / 2;
  for (const DotPlot::Row& row : plot.rows) {
    y += kDotRow;
    drawing.elements += svg_text("tick", {left - kMargin, y + 4}, row.name, " text-anchor=\"end\"");
    if (!std::isfinite(row.value)) continue;
    if (row.spread > 0 && std::isfinite(row.spread)) {
      drawing.elements += plot_whisker(0, {x_of(row.value - row.spread), y}, {x_of(row.value + row.spread), y});
    }
    drawing.elements += plot_mark(0, {x_of(row.value), y}, cat(row.name, ": ", plot_number(row.value)));
  }
  drawing.elements += axis_across({left, drawing.height - 8}, plot.across);
  append_reading(drawing, cat(plot.reading, plot.reading.empty() ? "" : " ", "Across: ", plot.across, "."));
  return drawing;
}

}  // namespace dhyan
