#include "lab/findings.h"

#include <algorithm>
#include <cmath>

namespace dhyan::lab {

ResultTable table_of(const Plot& plot, const std::string& name) {
  const bool spread = std::ranges::any_of(plot.lines, [](const PlotLine& line) { return !line.spreads.empty(); });
  ResultTable table{name, plot.title, {"line", plot.across, plot.up.empty() ? plot.title : plot.up}, {}};
  if (spread) table.columns.push_back("spread");
  for (const PlotLine& line : plot.lines) {
    for (std::size_t i = 0; i < line.points.size(); ++i) {
      std::vector<TableCell> row{line.name, line.points[i].x, line.points[i].y};
      if (spread) row.push_back(i < line.spreads.size() ? line.spreads[i] : 0.0);
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

void add_plot(Findings& findings, const Plot& plot, const std::string& name) {
  findings.figures.push_back({name, draw_plot(plot), name, plot_text(plot)});
  findings.tables.push_back(table_of(plot, name));
}

Spread spread_of(const std::vector<double>& values) {
  if (values.empty()) return {std::nan(""), 0};
  Spread spread;
  for (const double value : values) spread.mean += value / static_cast<double>(values.size());
  if (values.size() < 2) return spread;
  for (const double value : values) spread.deviation += (value - spread.mean) * (value - spread.mean);
  spread.deviation = std::sqrt(spread.deviation / static_cast<double>(values.size() - 1));
  return spread;
}

}  // namespace dhyan::lab
