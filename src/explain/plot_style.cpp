#include <array>

#include "core/error.h"
#include "core/number_text.h"
#include "explain/plot.h"

namespace dhyan {

const std::string_view kPlotStyle =
    R"(.picture .grid { stroke: #e3e8ee; stroke-width: 1; }
.picture .tick { fill: #57606a; font-size: 12px; font-variant-numeric: tabular-nums; }
.picture .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.picture .line-0 { stroke: #08519c; } .picture .dot-0 { fill: #08519c; }
.picture .line-1 { stroke: #b3470b; stroke-dasharray: 7 3; } .picture .dot-1 { fill: #b3470b; }
.picture .line-2 { stroke: #2a6f2b; stroke-dasharray: 2 3; } .picture .dot-2 { fill: #2a6f2b; }
.picture .line-3 { stroke: #6f3596; stroke-dasharray: 9 3 2 3; } .picture .dot-3 { fill: #6f3596; }
.picture .line-4 { stroke: #000000; stroke-dasharray: 14 4; } .picture .dot-4 { fill: #000000; }
.picture .line-5 { stroke: #8c6100; stroke-dasharray: 1 5; } .picture .dot-5 { fill: #8c6100; }
.picture .line-6 { stroke: #00707a; stroke-dasharray: 9 3 2 3 2 3; } .picture .dot-6 { fill: #00707a; }
.picture .line-7 { stroke: #a3195b; stroke-dasharray: 4 6; } .picture .dot-7 { fill: #a3195b; }
.picture .whisker { stroke-width: 1.2; stroke-dasharray: none; }
@media (prefers-color-scheme: dark) {
  .picture .grid { stroke: #242c35; }
  .picture .tick { fill: #a5afba; }
  .picture .line-0 { stroke: #5ab0f5; } .picture .dot-0 { fill: #5ab0f5; }
  .picture .line-1 { stroke: #f0883e; } .picture .dot-1 { fill: #f0883e; }
  .picture .line-2 { stroke: #6cc66e; } .picture .dot-2 { fill: #6cc66e; }
  .picture .line-3 { stroke: #c69af0; } .picture .dot-3 { fill: #c69af0; }
  .picture .line-4 { stroke: #ffffff; } .picture .dot-4 { fill: #ffffff; }
  .picture .line-5 { stroke: #e3b341; } .picture .dot-5 { fill: #e3b341; }
  .picture .line-6 { stroke: #4fc7d1; } .picture .dot-6 { fill: #4fc7d1; }
  .picture .line-7 { stroke: #f778ba; } .picture .dot-7 { fill: #f778ba; }
}
)";

namespace {

// Around (0, 0); a circle is an element of its own.
constexpr auto kShapes = std::to_array<std::string_view>(
    {"", "M-3-3h6v6h-6z", "M0-4l4 7h-8z", "M0-4.5l4 4.5l-4 4.5l-4-4.5z", "M-4-1h3v-3h2v3h3v2h-3v3h-2v-3h-3z",
     "M0 4l4-7h-8z", "M-2-4.5h4v9h-4z", "M-4.5-2h9v4h-9z"});
static_assert(kShapes.size() == kPlotStyles);

}  // namespace

std::string plot_place(double position) { return fixed(position, 1); }

std::string plot_mark(std::size_t style, Point at, std::string_view title) {
  const std::string name = title.empty() ? "" : cat("<title>", xml_text(title), "</title>");
  if (kShapes[style].empty()) {
    return cat("<circle class=\"dot-", style, "\" cx=\"", plot_place(at.x), "\" cy=\"", plot_place(at.y), "\" r=\"3\">",
               name, "</circle>\n");
  }
  return cat("<path class=\"dot-", style, "\" transform=\"translate(", plot_place(at.x), ' ', plot_place(at.y),
             ")\" d=\"", kShapes[style], "\">", name, "</path>\n");
}

std::string plot_whisker(std::size_t style, Point from, Point to) {
  return cat("<line class=\"line line-", style, " whisker\" x1=\"", plot_place(from.x), "\" y1=\"", plot_place(from.y),
             "\" x2=\"", plot_place(to.x), "\" y2=\"", plot_place(to.y), "\"/>\n");
}

}  // namespace dhyan
