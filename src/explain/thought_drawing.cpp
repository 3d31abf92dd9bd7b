#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "explain/drawing.h"
#include "explain/numbers.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 120;  // of the greatest bar up and the greatest down

// Lines of a text from y on; the y below them.
double append_lines(std::string& svg, std::string_view kind, double y, std::string_view text) {
  for (const std::string& line : wrapped(shown(text), 80)) svg += svg_text(kind, {kMargin, y += kFontSize * 1.4}, line);
  return y;
}

void append_bars(std::string& svg, double middle, const std::vector<double>& values) {
  const double step = kWidth / static_cast<double>(std::max<std::size_t>(values.size(), 1));
  const double scale = kHeight / 2 / std::max(greatest_size(values), std::numeric_limits<double>::min());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double height = std::isfinite(values[k]) ? std::abs(values[k]) * scale : 0;
    svg += cat("<rect class=\"", values[k] < 0 ? "down" : "up", "\" x=\"", kMargin + step * static_cast<double>(k),
               "\" y=\"", values[k] < 0 ? middle : middle - height, "\" width=\"", step * 0.8, "\" height=\"", height,
               "\"><title>", k + 1, ": ", fixed(values[k], 4), "</title></rect>\n");
  }
  svg += cat("<line class=\"axis\" x1=\"", kMargin, "\" y1=\"", middle, "\" x2=\"", kMargin + kWidth, "\" y2=\"",
             middle, "\"/>\n");
}

}  // namespace

Drawing draw_thought(const Explanation& explanation) {
  const std::string words = thought_in_words(explanation.thought);
  Drawing drawing{kWidth + 2 * kMargin, 0, "", "One fixed vector",
                  cat("Source: ", explanation.source, ". Target: ", explanation.translation, ". ", words)};
  double y = append_lines(drawing.elements, "source", kMargin, explanation.source) + kMargin;
  append_bars(drawing.elements, y + kHeight / 2, explanation.thought);
  y = append_lines(drawing.elements, "target", y + kHeight, explanation.translation);
  y = append_lines(drawing.elements, "small", y + kFontSize, words);
  drawing.height = std::ceil(y + kMargin);
  return drawing;
}

}  // namespace dhyan
