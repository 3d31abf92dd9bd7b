#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "explain/line_parts.h"
#include "explain/number_format.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr double kLeastWeight = 0.02;    // smaller weights have no line
constexpr std::size_t kMostLines = 12;   // per word and head
constexpr std::size_t kMostWords = 100;  // per side
constexpr double kLineRow = 26, kBetween = 220;

constexpr std::string_view kLineStyle = R"(<style>
.lines-of line { stroke-linecap: round; }
.h0 line { stroke: #0b5fa5; } .h1 line { stroke: #c4500a; } .h2 line { stroke: #0d7a58; } .h3 line { stroke: #7d4bb3; }
.h4 line { stroke: #8a6410; } .h5 line { stroke: #b3164f; } .h6 line { stroke: #4d5a5c; } .h7 line { stroke: #0a7d8c; }
.h0 .key { fill: #0b5fa5; } .h1 .key { fill: #c4500a; } .h2 .key { fill: #0d7a58; } .h3 .key { fill: #7d4bb3; }
.h4 .key { fill: #8a6410; } .h5 .key { fill: #b3164f; } .h6 .key { fill: #4d5a5c; } .h7 .key { fill: #0a7d8c; }
@media (prefers-color-scheme: dark) {
  .h0 line { stroke: #5ab0f5; } .h1 line { stroke: #ff9d5c; } .h2 line { stroke: #45c79b; } .h3 line { stroke: #c39bf0; }
  .h4 line { stroke: #dcb45a; } .h5 line { stroke: #f77ba4; } .h6 line { stroke: #b4c0c2; } .h7 line { stroke: #4fc8d8; }
  .h0 .key { fill: #5ab0f5; } .h1 .key { fill: #ff9d5c; } .h2 .key { fill: #45c79b; } .h3 .key { fill: #c39bf0; }
  .h4 .key { fill: #dcb45a; } .h5 .key { fill: #f77ba4; } .h6 .key { fill: #b4c0c2; } .h7 .key { fill: #4fc8d8; }
}
</style>
)";

struct LineLayout {
  double left = 0;    // x where lines begin
  double right = 0;   // x where lines end
  double top = 0;     // middle of the first words
  double spread = 0;  // distance between the lines of neighbouring heads, so that none covers another
  double heads = 1;
  double shift(Index head) const { return spread * (static_cast<double>(head) - (heads - 1) / 2); }
  double at(std::size_t number) const { return top + kLineRow * static_cast<double>(number); }
};

std::vector<std::string> first_words(const std::vector<std::string>& words) {
  return shortened({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), kMostWords))});
}

// The columns that a row has lines to, the greatest weight first.
std::vector<std::size_t> drawn_of(const std::vector<double>& row) {
  std::vector<std::size_t> drawn;
  for (std::size_t j = 0; j < std::min(row.size(), kMostWords); ++j) {
    if (row[j] >= kLeastWeight) drawn.push_back(j);
  }
  std::ranges::stable_sort(drawn, [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
  drawn.resize(std::min(drawn.size(), kMostLines));
  return drawn;
}

void append_head(std::string& svg, const LineLayout& at, const AttentionMap& map, const LineGroups& groups) {
  svg += cat("<g class=\"lines-of h", map.head.value_or(0) % kLineColours,
             groups.shown && groups.shown != map.layer ? " off" : "", "\"", groups.attributes(map), ">\n");
  const double shift = at.shift(map.head.value_or(0));
  for (std::size_t i = 0; i < std::min(map.rows.size(), kMostWords); ++i) {
    for (const std::size_t j : drawn_of(map.weights[i])) {
      const double weight = std::min(map.weights[i][j], 1.0);
      svg += cat("<line data-i=\"", i, "\" data-j=\"", j, "\" x1=\"", at.left, "\" y1=\"", at.at(i) + shift, "\" x2=\"",
                 at.right, "\" y2=\"", at.at(j) + shift, "\" stroke-opacity=\"", fixed(weight, 2), "\" stroke-width=\"",
                 fixed(1 + 3 * weight, 1), "\"/>\n");
    }
  }
  svg += "</g>\n";
}

void append_words(std::string& svg, const LineLayout& at, const std::vector<std::string>& rows,
                  const std::vector<std::string>& columns) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    svg += svg_text("row from", {at.left - 8, at.at(i) + kFontSize * 0.35}, rows[i]);
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    svg += svg_text("to", {at.right + 8, at.at(j) + kFontSize * 0.35}, columns[j]);
  }
}

// Appends a legend of heads and colours; returns the y below it.
double append_key(std::string& svg, std::span<const AttentionMap> heads, double y, double width) {
  if (heads.size() < 2) return y;
  double x = kMargin;
  for (const AttentionMap& map : heads) {
    const std::string name = cat("head ", map.head.value_or(0) + 1);
    const double room = widest_estimate({name}, 12) + 36;
    if (x + room > width) {
      x = kMargin;
      y += 20;
    }
    svg += cat("<g class=\"h", map.head.value_or(0) % kLineColours, "\"><rect class=\"key\" x=\"", x, "\" y=\"", y,
               "\" width=\"12\" height=\"12\"/>", svg_text("small", {x + 16, y + 11}, name), "</g>\n");
    x += room;
  }
  return y + 20;
}

// The names of the left and the right column of words.
struct SideNames {
  std::string left, right;
};

SideNames side_names(const AttentionMap& map) {
  if (map.place == AttentionPlace::kEncoder) return {"sentence (attends from)", "sentence (attended to)"};
  const AxisNames axes = axes_of(map);
  return {cat(axes.down, " (attends from)"), cat(axes.across, " (attended to)")};
}

std::string lines_caption(const AttentionMap& map) {
  std::vector<std::string> labels = map.columns;
  labels.insert(labels.end(), map.rows.begin(), map.rows.end());
  const std::string marks = marks_in_words(labels);
  return cat(
      "A line joins a word on the left to a word that it attends to. Darker and thicker lines have greater weights α; "
      "weights below ",
      fixed(kLeastWeight, 2), " are not drawn.",
      std::max(map.rows.size(), map.columns.size()) > kMostWords
          ? cat(" Only the first ", kMostWords, " words of each side are shown.")
          : "",
      marks.empty() ? "" : " ", marks);
}

}  // namespace

Drawing draw_line_groups(std::span<const AttentionMap> maps, std::string_view title, const LineGroups& groups) {
  const AttentionMap& first = maps.front();
  const std::vector<std::string> rows = first_words(first.rows), columns = first_words(first.columns);
  const SideNames names = side_names(first);
  const auto width_of = [](const std::vector<std::string>& words, const std::string& name) {
    return std::max(widest_estimate(words, kFontSize), widest_estimate({name}, kSmallSize));
  };
  LineLayout at;
  at.left = kMargin + width_of(rows, names.left) + 8;
  at.right = at.left + kBetween;
  Drawing drawing{0, 0, "", cat("Attention as lines, ", title), ""};
  drawing.width = std::ceil(std::max({at.right + 8 + width_of(columns, names.right) + kMargin, kNarrowest,
                                      widest_estimate({std::string(title)}, kFontSize) + 2 * kMargin}));
  std::string& svg = drawing.elements;
  svg = kLineStyle;
  double y = kMargin + kFontSize;
  svg += svg_text("heading", {kMargin, y}, title);
  y = (groups.has_key ? append_key(svg, maps, y + 10, drawing.width) : y) + kLineRow;
  svg += svg_text("axis-name", {at.left - 8, y}, names.left, " text-anchor=\"end\"");
  svg += svg_text("axis-name", {at.right + 8, y}, names.right);
  at.top = y + kLineRow;
  for (const AttentionMap& map : maps) at.heads = std::max(at.heads, static_cast<double>(map.head.value_or(0) + 1));
  at.spread = maps.size() == 1 ? 0 : std::min(4.0, (kLineRow - 8) / at.heads);
  for (const AttentionMap& map : maps) append_head(svg, at, map, groups);
  append_words(svg, at, rows, columns);
  drawing.height = at.at(std::max(rows.size(), columns.size()));
  append_reading(drawing, lines_caption(first));
  return drawing;
}

Drawing draw_lines(std::span<const AttentionMap> heads) {
  const AttentionMap& first = heads.front();
  std::string title = first.title.empty() ? title_of(first.place) : first.title;
  if (heads.size() > 1) title = cat(title_of(first.place), ", layer ", first.layer.value_or(0) + 1);
  return draw_line_groups(heads, title,
                          {.has_key = true, .attributes = [](const AttentionMap&) { return std::string(); }});
}

}  // namespace dhyan
