#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "explain/drawing.h"
#include "explain/number_format.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr double kWidth = 640;
constexpr double kBarsLeft = kMargin + kSmallSize * kLineHeight + 48;  // right of the axis name and its values
constexpr double kHeight = 120;                                        // from the lowest possible bar to the highest

// Appends the lines of a text below y; returns the y of the last.
double append_lines(std::string& svg, std::string_view kind, double y, std::string_view text) {
  for (const std::string& line : wrapped(shown(text), 80)) svg += svg_text(kind, {kMargin, y += kFontSize * 1.4}, line);
  return y;
}

void append_bars(std::string& svg, double middle, const std::vector<double>& values) {
  const double step = kWidth / static_cast<double>(std::max<std::size_t>(values.size(), 1));
  const double scale = kHeight / 2 / std::max(greatest_size(values), std::numeric_limits<double>::min());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double height = std::isfinite(values[k]) ? std::abs(values[k]) * scale : 0;
    svg += cat("<rect class=\"", values[k] < 0 ? "down" : "up", "\" x=\"", kBarsLeft + step * static_cast<double>(k),
               "\" y=\"", values[k] < 0 ? middle : middle - height, "\" width=\"", step * 0.8, "\" height=\"", height,
               "\"><title>", k + 1, ": ", fixed(values[k], 4), "</title></rect>\n");
  }
  svg += cat("<line class=\"axis\" x1=\"", kBarsLeft, "\" y1=\"", middle, "\" x2=\"", kBarsLeft + kWidth, "\" y2=\"",
             middle, "\"/>\n");
}

// The names of both axes, and values at the extremes and at 0.
void append_bar_axes(std::string& svg, double middle, const std::vector<double>& values) {
  const double greatest = greatest_size(values);
  for (const double share : {1.0, 0.0, -1.0}) {
    svg += svg_text("small", {kBarsLeft - 6, middle - share * kHeight / 2 + kSmallSize * 0.35},
                    fixed(share * greatest, 2), " text-anchor=\"end\"");
  }
  svg += axis_down(middle - kHeight / 2, middle + kHeight / 2, "value");
  svg += axis_across({kBarsLeft, middle + kHeight / 2 + kSmallSize * kLineHeight},
                     cat("elements of the vector, from 1 to ", values.size()));
}

}  // namespace

Drawing draw_context_vector(const Explanation& explanation) {
  const std::string words = context_vector_in_words(explanation.context_vector);
  Drawing drawing{kBarsLeft + kWidth + kMargin, 0, "", "One fixed vector",
                  cat("Source: ", explanation.source, ". Target: ", explanation.translation, ". ", words)};
  double y = append_lines(drawing.elements, "source", kMargin, explanation.source) + 1.5 * kMargin;
  append_bars(drawing.elements, y + kHeight / 2, explanation.context_vector);
  append_bar_axes(drawing.elements, y + kHeight / 2, explanation.context_vector);
  y = append_lines(drawing.elements, "target", y + kHeight + kSmallSize * kLineHeight, explanation.translation);
  drawing.height = append_lines(drawing.elements, "small", y + kFontSize, words);
  append_reading(
      drawing,
      "Each bar is one element of the vector: positive values go up, negative ones down. The encoder reads the "
      "source up to </s>, which marks its end.");
  return drawing;
}

}  // namespace dhyan
