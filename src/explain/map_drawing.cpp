#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/error.h"
#include "explain/drawing.h"
#include "explain/numbers.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr double kLargestCell = 40, kSmallestNumbered = 28;  // sides of cells

struct Layout {
  double cell;           // side of a square
  bool slanted;          // labels of columns
  double left, top;      // of the first cell
  double right, bottom;  // of the last
  double width, height;
};

Layout layout_of(const AttentionMap& map, const std::vector<std::string>& source,
                 const std::vector<std::string>& target) {
  const std::size_t longer = std::max(source.size(), target.size());
  Layout at{};
  at.cell = longer <= 16 ? kLargestCell : longer <= 40 ? kSmallestNumbered : 16;
  const double label = widest_estimate(source, kFontSize);
  at.slanted = label > at.cell - 4;
  const double slant = label / std::numbers::sqrt2;  // rise and reach of a label at 45 degrees
  at.left = kMargin + widest_estimate(target, kFontSize) + 8;
  at.top = kMargin + (map.title.empty() ? 0 : kFontSize + 12) + (at.slanted ? slant + kFontSize : kFontSize + 8);
  at.right = at.left + at.cell * static_cast<double>(source.size());
  at.bottom = at.top + at.cell * static_cast<double>(target.size());
  at.width = std::ceil(std::max({at.right + (at.slanted ? slant : 0), at.left + 160,
                                 kMargin + widest_estimate({map.title}, kFontSize)}) +
                       kMargin);
  at.height = std::ceil(at.bottom + 40 + kMargin);
  return at;
}

void append_labels(std::string& svg, const Layout& at, const std::vector<std::string>& source,
                   const std::vector<std::string>& target) {
  for (std::size_t j = 0; j < source.size(); ++j) {
    const double x = at.left + at.cell * (static_cast<double>(j) + 0.5), y = at.top - 8;
    svg += svg_text("column", {x, y}, source[j],
                    at.slanted ? cat(" transform=\"rotate(-45 ", x, ' ', y, ")\"") : " text-anchor=\"middle\"");
  }
  for (std::size_t i = 0; i < target.size(); ++i) {
    const double middle = at.top + at.cell * (static_cast<double>(i) + 0.5);
    svg += svg_text("row", {at.left - 8, middle + kFontSize * 0.35}, target[i]);
  }
}

// What is said of a cell: "I ← मैं: α = 0.8512, e = 2.3100".
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

// After all cells, so that none of them covers a number, whichever is brought to the front.
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

void append_scale(std::string& svg, const Layout& at) {
  constexpr int kSteps = 5;
  const double y = at.bottom + 14, side = 18;
  svg += svg_text("small", {at.left, y + 13}, "α 0");
  for (int step = 0; step < kSteps; ++step) {
    svg += cat("<rect class=\"cell\" x=\"", at.left + 26 + side * step, "\" y=\"", y, "\" width=\"", side,
               "\" height=\"", side, "\" fill-opacity=\"", fixed(step / (kSteps - 1.0), 2), "\"/>\n");
  }
  svg += svg_text("small", {at.left + 26 + side * kSteps + 6, y + 13}, "1");
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += cat(text.empty() ? "" : " ", word);
  return text;
}

// "I: मैं 0.8512, खाना 0.0914." for each target word, its greatest weights first.
std::string map_in_words(const AttentionMap& map) {
  constexpr std::size_t kMost = 3;
  std::string text = cat("Source: ", joined(map.columns), ". Target: ", joined(map.rows), ".");
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    const std::vector<double>& row = map.weights[i];
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&row](std::size_t a, std::size_t b) { return row[a] > row[b]; });
    order.resize(std::min(order.size(), kMost));
    text += cat(' ', map.rows[i], " looks at");
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
  Drawing drawing{at.width, at.height, "", map.title.empty() ? "Attention" : "Attention, " + map.title,
                  map_in_words(map)};
  if (!map.title.empty()) drawing.elements += svg_text("heading", {kMargin, kMargin + kFontSize}, map.title);
  append_labels(drawing.elements, at, source, target);
  append_cells(drawing.elements, at, map);
  append_numbers(drawing.elements, at, map);
  append_scale(drawing.elements, at);
  return drawing;
}

}  // namespace dhyan
