#include "explain/drawing.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/number_text.h"
#include "text/display.h"
#include "text/unicode.h"

namespace dhyan {

// A weight is the opacity of one colour, so that one drawing serves both colour schemes. Text on a cell has a contrast
// of at least 4.5 to 1 in both: it changes its colour at kDarkCell.
const std::string_view kPictureStyle =
    R"(.picture { font: 14px system-ui, "Noto Sans Devanagari", "Nirmala UI", Mangal, sans-serif; }
.picture .page { fill: #ffffff; }
.picture text { fill: #000000; unicode-bidi: plaintext; }
.picture .cell { fill: #08306b; stroke: #c8d0d9; stroke-width: 1; }
.picture .number { text-anchor: middle; pointer-events: none; }
.picture .number.on-dark { fill: #ffffff; }
.picture .ink { fill: #08306b; }
.picture .frame { fill: none; stroke: #c8d0d9; stroke-width: 1; }
.picture .row { text-anchor: end; }
.picture .small, .picture .axis-name, .picture .reading { font-size: 12px; }
.picture .axis-name, .picture .reading { fill: #57606a; }
.picture .up { fill: #08306b; }
.picture .down { fill: #b3470b; }
.picture .axis { stroke: #6b7580; stroke-width: 1; }
.picture .edge { fill: none; stroke: #8a949e; stroke-width: 1.2; }
.picture .edge.pruned, .picture .pruned .cell { stroke-dasharray: 3 3; }
.picture .pruned text { fill: #57606a; }
.picture .edge.best { stroke: #d1480c; stroke-width: 2.5; }
.picture .best .cell { stroke: #d1480c; stroke-width: 2.5; }
@media (prefers-color-scheme: dark) {
  .picture .page { fill: #0f1317; }
  .picture text { fill: #ffffff; }
  .picture .axis-name, .picture .reading { fill: #a5afba; }
  .picture .cell { fill: #5ab0f5; stroke: #3a444f; }
  .picture .ink { fill: #5ab0f5; }
  .picture .frame { stroke: #3a444f; }
  .picture .number.on-dark { fill: #000000; }
  .picture .up { fill: #5ab0f5; }
  .picture .down { fill: #f0883e; }
  .picture .axis { stroke: #8b949e; }
  .picture .edge { stroke: #77828d; }
  .picture .pruned text { fill: #a5afba; }
  .picture .edge.best, .picture .best .cell { stroke: #ff9d5c; }
}
)";

std::vector<std::string> shortened(const std::vector<std::string>& labels) {
  constexpr Index kLongestLabel = 24;  // in terminal cells; titles of cells have the whole label
  std::vector<std::string> result;
  for (const std::string& label : labels) result.push_back(cut(shown(label), kLongestLabel));
  return result;
}

namespace {

// Symbols are as wide as high: U+FFFD for invalid bytes, SentencePiece's ▁.
bool has_symbols(std::string_view text) {
  for (const Character& character : Characters(text)) {
    if ((character.code >= 0x2190 && character.code < 0x2E80) || character.code == 0xFFFD) return true;
  }
  return false;
}

}  // namespace

double widest_estimate(const std::vector<std::string>& labels, double font_size) {
  double width = 0;
  for (const std::string& label : labels) {
    const double em = has_settled_width(label) && !has_symbols(label) ? 0.62 : 0.95;  // per terminal cell
    width = std::max(width, static_cast<double>(display_width(label)) * em * font_size);
  }
  return width;
}

std::string xml_text(std::string_view text) {
  std::string result;
  for (const char byte : shown(text)) {
    switch (byte) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += byte;
    }
  }
  return result;
}

std::string turned(double degrees, Point at) {
  return cat(" transform=\"rotate(", degrees, ' ', at.x, ' ', at.y, ")\"");
}

std::string axis_across(Point at, std::string_view name) { return svg_text("axis-name", at, name); }

std::string axis_down(double top, double bottom, std::string_view name) {
  const double half = widest_estimate({std::string(name)}, kSmallSize) / 2;
  const Point at{kMargin + kSmallSize, std::min((top + bottom) / 2, bottom - half)};
  return svg_text("axis-name", at, name, cat(" text-anchor=\"middle\"", turned(-90, at)));
}

std::string weight_scale(Point at) {
  constexpr int kSteps = 5;
  constexpr double kSide = kScaleHeight, kNameWidth = 74;
  std::string svg = svg_text("small", {at.x, at.y + 13}, "weight α 0");
  for (int step = 0; step < kSteps; ++step) {
    svg += cat("<rect class=\"cell\" x=\"", at.x + kNameWidth + kSide * step, "\" y=\"", at.y, "\" width=\"", kSide,
               "\" height=\"", kSide, "\" fill-opacity=\"", fixed(step / (kSteps - 1.0), 2), "\"/>\n");
  }
  return svg + svg_text("small", {at.x + kNameWidth + kSide * kSteps + 6, at.y + 13}, "1");
}

void append_reading(Drawing& drawing, std::string_view text) {
  constexpr double kCharacter = 0.62 * kSmallSize;  // as in widest_estimate()
  constexpr Index kLongestLine = 120;
  const auto fits = static_cast<Index>((drawing.width - 2 * kMargin) / kCharacter);
  double y = drawing.height;
  for (const std::string& line : wrapped(text, std::min(kLongestLine, fits))) {
    drawing.elements += svg_text("reading", {kMargin, y += kSmallSize * kLineHeight}, line);
  }
  drawing.height = std::ceil(y + kMargin);
  drawing.description += cat(drawing.description.empty() ? "" : " ", text);
}

std::string svg_text(std::string_view kind, Point at, std::string_view text, std::string_view attributes) {
  return cat("<text class=\"", kind, "\" x=\"", at.x, "\" y=\"", at.y, "\"", attributes, ">", xml_text(text),
             "</text>\n");
}

}  // namespace dhyan
