#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/error.h"
#include "explain/drawing.h"
#include "explain/number_format.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr double kLargestCell = 40,
                 kSmallestNumbered = 28;  // sides of cells: at most, and at least for cells with numbers

// Orientation of the words above the columns.
enum class ColumnWords { kLevel, kSlanted, kUpright };

struct Layout {
  double cell;  // side of a square
  double font;  // size of words
  ColumnWords words;
  double left, top;      // of the first cell
  double right, bottom;  // of the last
  double width;
};

double degrees_of(ColumnWords words) {
  return words == ColumnWords::kUpright ? -90 : words == ColumnWords::kSlanted ? -45 : 0;
}

Layout layout_of(const AttentionMap& map, const std::vector<std::string>& source,
                 const std::vector<std::string>& target) {
  const std::size_t longer = std::max(source.size(), target.size());
  Layout at{};
  at.cell = longer <= 16 ? kLargestCell : longer <= 40 ? kSmallestNumbered : 16;
  at.font = std::min(kFontSize, std::floor(at.cell / kLineHeight));
  const double label = widest_estimate(source, at.font);
  const bool slants = at.cell / std::numbers::sqrt2 >= at.font * kLineHeight;  // lines at 45 degrees are closer
  at.words = label <= at.cell - 4 ? ColumnWords::kLevel : slants ? ColumnWords::kSlanted : ColumnWords::kUpright;
  const double slant = label / std::numbers::sqrt2;  // height and width of a label at 45 degrees
  const double rise = at.words == ColumnWords::kLevel     ? at.font
                      : at.words == ColumnWords::kSlanted ? slant + at.font
                                                          : label;
  const double heading = kMargin + (map.title.empty() ? 0 : kFontSize + 12);
  const AxisNames axes = axes_of(map);
  const double rows = at.cell * static_cast<double>(target.size());
  at.left = kMargin + kSmallSize * kLineHeight + widest_estimate(target, at.font) + 8;
  at.top = std::max(heading + kSmallSize * kLineHeight + rise + 8,
                    heading + widest_estimate({std::string(axes.down)}, kSmallSize) - rows);
  at.right = at.left + at.cell * static_cast<double>(source.size());
  at.bottom = at.top + rows;
  at.width = std::ceil(std::max({at.right + (at.words == ColumnWords::kSlanted ? slant : 0),
                                 at.left + widest_estimate({std::string(axes.across)}, kSmallSize), kNarrowest,
                                 kMargin + widest_estimate({map.title}, kFontSize)}) +
                       kMargin);
  return at;
}

void append_axis_names(std::string& svg, const Layout& at, const AttentionMap& map) {
  const AxisNames axes = axes_of(map);
  const double y = kMargin + (map.title.empty() ? 0 : kFontSize + 12) + kSmallSize;
  svg += axis_across({at.left, y}, axes.across);
  svg += axis_down(at.top, at.bottom, axes.down);
}

void append_labels(std::string& svg, const Layout& at, const std::vector<std::string>& source,
                   const std::vector<std::string>& target) {
  const std::string size = at.font < kFontSize ? cat(" font-size=\"", at.font, '"') : "";
  const double shift = at.words == ColumnWords::kUpright ? at.font * 0.35 : 0;  // the baseline is not the middle
  for (std::size_t j = 0; j < source.size(); ++j) {
    const Point place{at.left + at.cell * (static_cast<double>(j) + 0.5) + shift, at.top - 8};
    svg += svg_text(
        "column", place, source[j],
        cat(size, at.words == ColumnWords::kLevel ? " text-anchor=\"middle\"" : turned(degrees_of(at.words), place)));
  }
  for (std::size_t i = 0; i < target.size(); ++i) {
    const double middle = at.top + at.cell * (static_cast<double>(i) + 0.5);
    svg += svg_text("row", {at.left - 8, middle + at.font * 0.35}, target[i], size);
  }
}

// The tooltip of a cell: "I ← मैं: α = 0.8512, e = 2.3100".
std::string cell_in_words(const AttentionMap& map, std::size_t i, std::size_t j) {
  std::string text = cat(map.rows[i], " ← ", map.columns[j], ": α = ", fixed(map.weights[i][j], 4));
  if (!map.energy.empty()) text += cat(", e = ", fixed(map.energy[i][j], 4));
  return text;
}

double opacity_of(double weight) { return weight > 0 ? std::min(weight, 1.0) : 0; }

void append_cells(std::string& svg, const Layout& at, const AttentionMap& map) {
  svg += "<g class=\"cells\">\n";
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    for (std::size_t j = 0; j < map.columns.size(); ++j) {
      svg += cat("<rect class=\"cell\" x=\"", at.left + at.cell * static_cast<double>(j), "\" y=\"",
                 at.top + at.cell * static_cast<double>(i), "\" width=\"", at.cell, "\" height=\"", at.cell,
                 "\" fill-opacity=\"", fixed(opacity_of(map.weights[i][j]), 3), "\"><title>",
                 xml_text(cell_in_words(map, i, j)), "</title></rect>\n");
    }
  }
  svg += "</g>\n";
}

// Drawn after all cells, so that no cell covers a number, even one that the page's script brings to the front.
void append_numbers(std::string& svg, const Layout& at, const AttentionMap& map) {
  if (at.cell < kSmallestNumbered) return;
  svg += cat("<g class=\"numbers\" font-size=\"", at.cell < kLargestCell ? 10 : 12, "\">\n");
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    for (std::size_t j = 0; j < map.columns.size(); ++j) {
      const double weight = map.weights[i][j];
      if (std::abs(weight) < 0.005) continue;
      const Point middle{at.left + at.cell * (static_cast<double>(j) + 0.5),
                         at.top + at.cell * (static_cast<double>(i) + 0.5) + 4};
      svg += svg_text(opacity_of(weight) >= kDarkCell ? "number on-dark" : "number", middle, short_number(weight));
    }
  }
  svg += "</g>\n";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += cat(text.empty() ? "" : " ", word);
  return text;
}

// "I attends to मैं 0.8512, खाना 0.0914." for each row, its greatest weights first.
std::string map_in_words(const AttentionMap& map) {
  constexpr std::size_t kMost = 3;
  std::string text = cat("Source: ", joined(map.columns), ". Target: ", joined(map.rows), ".");
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    const std::vector<double>& row = map.weights[i];
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&row](std::size_t a, std::size_t b) { return row[a] > row[b]; });
    order.resize(std::min(order.size(), kMost));
    text += cat(' ', map.rows[i], " attends to");
    for (std::size_t k = 0; k < order.size(); ++k) {
      text += cat(k == 0 ? " " : ", ", map.columns[order[k]], ' ', fixed(row[order[k]], 4));
    }
    text += '.';
  }
  return text;
}

}  // namespace

Drawing draw_map(const AttentionMap& map) {
  const std::vector<std::string> source = shortened(map.columns), target = shortened(map.rows);
  const Layout at = layout_of(map, source, target);
  Drawing drawing{at.width, at.bottom + 14 + kScaleHeight, "",
                  map.title.empty() ? "Attention" : "Attention, " + map.title, map_in_words(map)};
  if (!map.title.empty()) drawing.elements += svg_text("heading", {kMargin, kMargin + kFontSize}, map.title);
  append_axis_names(drawing.elements, at, map);
  append_labels(drawing.elements, at, source, target);
  append_cells(drawing.elements, at, map);
  append_numbers(drawing.elements, at, map);
  drawing.elements += weight_scale({at.left, at.bottom + 14});
  append_reading(drawing, reading_of(map));
  return drawing;
}

}  // namespace dhyan
