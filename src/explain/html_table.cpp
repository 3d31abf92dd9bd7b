#include "explain/html_table.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "explain/drawing.h"
#include "explain/number_format.h"

namespace dhyan {

const std::string_view kTableStyle = R"(.wide { max-width: 100%; }
.wide th { font-weight: 600; white-space: nowrap; }
.wide tbody th { text-align: start; position: sticky; left: 0; background: #ffffff; }
.wide td { white-space: nowrap; }
.wide th, .wide td { padding: 0.15rem 0.4rem; }
td[class^=p] { background: rgb(8 48 107 / calc(var(--w) * 0.033)); }
td[class^=m] { background: rgb(179 71 11 / calc(var(--w) * 0.039)); }
.p1, .m1 { --w: 1; } .p2, .m2 { --w: 2; } .p3, .m3 { --w: 3; } .p4, .m4 { --w: 4; } .p5, .m5 { --w: 5; }
.p6, .m6 { --w: 6; } .p7, .m7 { --w: 7; } .p8, .m8 { --w: 8; } .p9, .m9 { --w: 9; }
.bar { min-width: 6rem; text-align: start; }
.bar span { display: block; width: 0; height: 0.9rem; background: #08306b; min-width: 1px; }
@media (prefers-color-scheme: dark) {
  .wide tbody th { background: #0f1317; }
  td[class^=p] { background: rgb(90 176 245 / calc(var(--w) * 0.044)); }
  td[class^=m] { background: rgb(240 136 62 / calc(var(--w) * 0.044)); }
  .bar span { background: #5ab0f5; }
}
)";

std::string scroll_area(std::string_view label, std::string_view table) {
  return cat("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"", xml_text(label), "\">\n", table,
             "</div>\n");
}

std::string heading(std::string_view text, std::size_t columns) {
  if (columns == 1) return cat("<th scope=\"col\">", xml_text(text), "</th>");
  return cat("<th scope=\"colgroup\" colspan=\"", columns, "\">", xml_text(text), "</th>");
}

std::string blank(std::size_t columns) { return columns == 0 ? "" : cat("<td colspan=\"", columns, "\"></td>"); }

std::string number_cell(double value, double largest) {
  const double share = largest > 0 && std::isfinite(value) ? std::min(std::abs(value) / largest, 1.0) : 0;
  const long shade = std::lround(share * 9);  // a class, because pages have tens of thousands of these cells
  return cat("<td", shade > 0 ? cat(" class=\"", value < 0 ? 'm' : 'p', shade, '"') : "", '>', fixed(value, 4),
             "</td>");
}

std::string number_cells(std::span<const Real> values, std::size_t count, double largest) {
  std::string cells;
  for (const Real value : values.first(std::min(count, values.size()))) cells += number_cell(value, largest);
  return cells;
}

std::string bar_cell(double share) {
  const long percent = std::isfinite(share) ? std::lround(std::clamp(share, 0.0, 1.0) * 100) : 0;
  return cat("<td class=\"bar\"><span", percent > 0 ? cat(" style=\"width:", percent, "%\"") : "", "></span></td>");
}

double norm_of(std::span<const Real> values) { return norm(std::vector<double>(values.begin(), values.end())); }

double largest_of(std::span<const Real> values) {
  return greatest_size(std::vector<double>(values.begin(), values.end()));
}

std::string vector_table(std::string_view name, std::span<const Real> values, std::size_t count) {
  const bool is_cut = count < values.size();
  return scroll_area(name, cat("<table><tbody><tr><th scope=\"row\">", xml_text(name), "</th>",
                               number_cells(values, count, largest_of(values)),
                               is_cut ? cat("<td>… ", values.size() - count, " more</td>") : "", "<td>norm ",
                               fixed(norm_of(values), 4), "</td></tr></tbody></table>\n"));
}

}  // namespace dhyan
