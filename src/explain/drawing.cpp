#include "explain/drawing.h"

#include <algorithm>

#include "core/error.h"
#include "text/display.h"

namespace dhyan {

// Weights are drawn as the opacity of one ink, so that both schemes need but one drawing. Text on a cell stands out by
// at least 4.5 to 1 with either ink: dark on light below kDarkCell, light on dark from there on, and the other way
// round.
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
.picture .small { font-size: 12px; }
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
  constexpr Index kLongestLabel = 24;  // cells of a terminal; the rest is cut, and in the cells' titles
  std::vector<std::string> result;
  for (const std::string& label : labels) result.push_back(cut(shown(label), kLongestLabel));
  return result;
}

double widest_estimate(const std::vector<std::string>& labels, double font_size) {
  double width = 0;
  for (const std::string& label : labels) {
    const double em = has_settled_width(label) ? 0.62 : 0.95;  // of a cell of a terminal
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

std::string svg_text(std::string_view kind, Point at, std::string_view text, std::string_view attributes) {
  return cat("<text class=\"", kind, "\" x=\"", at.x, "\" y=\"", at.y, "\"", attributes, ">", xml_text(text),
             "</text>\n");
}

}  // namespace dhyan
