#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "explain/plot.h"
#include "explain/plot_axis.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr std::size_t kPlotColumns = 61, kPlotRows = 15;
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
constexpr char kSeveral = '*';

std::size_t cell_at(double share, std::size_t cells) {
  return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(cells - 1)));
}

std::string padded_left(const std::string& text, std::size_t width) {
  const auto cells = static_cast<std::size_t>(display_width(text));
  return std::string(width > cells ? width - cells : 0, ' ') + text;
}

// The letters of the lines' points; kSeveral where lines meet.
std::vector<std::string> letters_of(const Plot& plot, const PlotAxes& axes) {
  std::vector<std::string> canvas(kPlotRows, std::string(kPlotColumns, ' '));
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    const char letter = kLetters[i % kLetters.size()];
    for (const Point& point : plot.lines[i].points) {
      if (!is_drawn(plot, point)) continue;
      char& at = canvas[kPlotRows - 1 - cell_at(axes.y.share(point.y), kPlotRows)]
                       [cell_at(axes.x.share(point.x), kPlotColumns)];
      at = at == ' ' || at == letter ? letter : kSeveral;
    }
  }
  return canvas;
}

// The ticks of y in the rows where they are, all equally wide.
std::vector<std::string> labels_of(const PlotAxis& axis) {
  std::vector<std::string> labels(kPlotRows);
  for (const double tick : axis.ticks) {
    const double share = axis.share(tick);
    if (share > -1e-9 && share < 1 + 1e-9) labels[kPlotRows - 1 - cell_at(share, kPlotRows)] = axis.tick_text(tick);
  }
  std::size_t widest = 0;
  for (const std::string& label : labels) widest = std::max(widest, static_cast<std::size_t>(display_width(label)));
  for (std::string& label : labels) label = padded_left(label, widest);
  return labels;
}

// The ticks of x, as many as fit.
std::string ticks_below(const PlotAxis& axis) {
  std::string line;
  for (const double tick : axis.ticks) {
    const double share = axis.share(tick);
    if (share < -1e-9 || share > 1 + 1e-9) continue;
    const std::string text = axis.tick_text(tick);
    const std::size_t column = cell_at(share, kPlotColumns), half = text.size() / 2,
                      begin = column > half ? column - half : 0;
    if (!line.empty() && begin <= line.size()) continue;
    line += std::string(begin - line.size(), ' ') + text;
  }
  return line;
}

}  // namespace

std::string plot_text(const Plot& plot) {
  const std::optional<PlotAxes> axes = axes_of(plot);
  if (!axes) return cat(plot.title, ": nothing to draw\n");
  const std::vector<std::string> canvas = letters_of(plot, *axes), labels = labels_of(axes->y);
  std::string text =
      cat(plot.title, "\n  up: ", up_name(plot, axes->y), "; across: ", axis_name(plot.across, axes->x), "\n\n");
  for (std::size_t row = 0; row < kPlotRows; ++row) {
    std::string line = cat("  ", labels[row], " |", canvas[row]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  const std::string left(2 + labels.front().size() + 1, ' ');
  text += cat(left, '+', std::string(kPlotColumns, '-'), '\n', left, ' ', ticks_below(axes->x), "\n\n");
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    text += cat("  ", kLetters[i % kLetters.size()], "  ", plot.lines[i].name, '\n');
  }
  return plot.lines.size() > 1 ? cat(text, "  ", kSeveral, "  several\n") : text;
}

}  // namespace dhyan
