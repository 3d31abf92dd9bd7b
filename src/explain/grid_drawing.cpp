#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "explain/drawing.h"
#include "explain/number_format.h"

namespace dhyan {

namespace {

constexpr double kGap = 14;            // between maps
constexpr double kSmallFont = 11;      // of labels, one line per cell
constexpr double kSmallestNamed = 16;  // least side of cells that are labelled
static_assert(kSmallestNamed >= kSmallFont * kLineHeight);
constexpr std::size_t kMostNamed = 28;  // words up to which cells are that large

double cell_for(std::size_t longer) {
  return longer <= 12 ? 18 : longer <= kMostNamed ? kSmallestNamed : longer <= 40 ? 6 : 3;
}

// Cells of equal shade share one path, so that a grid of 48 heads stays small. The large map has exact weights.
std::string inked(const AttentionMap& map) {
  constexpr int kShades = 20;
  std::map<int, std::string> paths;
  const auto shade_of = [](double weight) {
    return weight > 0 ? static_cast<int>(std::lround(std::min(weight, 1.0) * kShades)) : 0;
  };
  for (std::size_t i = 0; i < map.weights.size(); ++i) {
    const std::vector<double>& row = map.weights[i];
    for (std::size_t j = 0, end = 0; j < row.size(); j = end) {
      const int shade = shade_of(row[j]);
      for (end = j + 1; end < row.size() && shade_of(row[end]) == shade;) ++end;
      if (shade > 0) paths[shade] += cat('M', j, ' ', i, 'h', end - j, "v1h-", end - j, 'z');
    }
  }
  std::string svg;
  for (const auto& [shade, path] : paths) {
    svg += cat("<path class=\"ink\" fill-opacity=\"", number(shade / double{kShades}, "0"), "\" d=\"", path, "\"/>\n");
  }
  return svg;
}

// A map at a position, with its title as a tooltip.
std::string small_map(const AttentionMap& map, Point at, double cell) {
  return cat("<g class=\"small-map\" transform=\"translate(", at.x, ' ', at.y, ")\"><title>", xml_text(map.title),
             "</title>\n<g transform=\"scale(", cell, ")\" shape-rendering=\"crispEdges\">\n", inked(map),
             "</g>\n<rect class=\"frame\" width=\"", cell * static_cast<double>(map.columns.size()), "\" height=\"",
             cell * static_cast<double>(map.rows.size()), "\"/></g>\n");
}

class Grid {
 public:
  explicit Grid(std::span<const AttentionMap> maps)
      : maps_(maps), columns_(shortened(maps.front().columns)), rows_(shortened(maps.front().rows)) {
    cell_ = cell_for(std::max(columns_.size(), rows_.size()));
    for (const AttentionMap& map : maps) {
      layers_.emplace(map.layer.value_or(0), 0);
      heads_.emplace(map.head.value_or(0), 0);
    }
    const double width = cell_ * static_cast<double>(columns_.size()),
                 height = cell_ * static_cast<double>(rows_.size());
    double x = kLayersLeft + kHeading + (is_named() ? widest_estimate(rows_, kSmallFont) + 6 : 0);
    double y = kHeadings + kFontSize + 8 + (is_named() ? widest_estimate(columns_, kSmallFont) + 6 : 0);
    for (auto& [head, left] : heads_) {
      left = x;
      x += std::max(width, kHeading) + kGap;
    }
    for (auto& [layer, top] : layers_) {
      top = y;
      y += height + kGap;
    }
    bottom_ = std::max(y - kGap, kHeadings + widest_estimate({name_down()}, kSmallSize));
    drawing_.width =
        std::ceil(std::max({x - kGap, kMargin + widest_estimate({title_of(maps.front().place)}, kFontSize),
                            heads_.begin()->second + widest_estimate({name_across()}, kSmallSize), kNarrowest}) +
                  kMargin);
    drawing_.height = std::ceil(bottom_ + 14 + kScaleHeight);
  }

  Drawing drawn() && {
    drawing_.title = cat("Attention, ", title_of(maps_.front().place), ", layers down and heads across");
    drawing_.description = cat("The mean of all. ", draw_map(mean_of(maps_)).description);
    drawing_.elements = svg_text("heading", {kMargin, kMargin + kFontSize}, title_of(maps_.front().place));
    append_headings();
    if (is_named()) append_names();
    for (const AttentionMap& map : maps_) {
      const Point at{heads_.at(map.head.value_or(0)), layers_.at(map.layer.value_or(0))};
      drawing_.elements += small_map(map, at, cell_);
    }
    drawing_.elements += weight_scale({heads_.begin()->second, bottom_ + 14});
    append_reading(drawing_, reading());
    return std::move(drawing_);
  }

 private:
  static constexpr double kHeading = 74;  // width of "layer 12" and a gap
  static constexpr double kLine = kSmallSize * kLineHeight;
  static constexpr double kLayersLeft = kMargin + kLine + 6;            // right of the axis name
  static constexpr double kHeadings = kMargin + kFontSize + 8 + kLine;  // y above the names of heads

  bool is_named() const { return cell_ >= kSmallestNamed; }

  std::string name_across() const { return cat("across each map: ", axes_of(maps_.front()).across); }
  std::string name_down() const { return cat("down each map: ", axes_of(maps_.front()).down); }

  std::string reading() const {
    std::string text = cat("Each small map is one head; layers go down, heads across. ", reading_of(maps_.front()));
    if (is_named()) return text;
    return cat(text, " Words are left out: a side has ", std::max(columns_.size(), rows_.size()), ", and only ",
               kMostNamed, " fit.");
  }

  void append_headings() {
    drawing_.elements += axis_across({heads_.begin()->second, kHeadings - 4}, name_across());
    drawing_.elements += axis_down(layers_.begin()->second, bottom_, name_down());
    for (const auto& [head, left] : heads_) {
      drawing_.elements += svg_text("head", {left, kHeadings + kFontSize}, cat("head ", head + 1));
    }
    const double middle = cell_ * static_cast<double>(rows_.size()) / 2 + kFontSize * 0.35;
    for (const auto& [layer, top] : layers_) {
      drawing_.elements += svg_text("layer", {kLayersLeft, top + middle}, cat("layer ", layer + 1));
    }
  }

  void append_names() {
    const std::string size = cat(" font-size=\"", kSmallFont, '"');
    const double y = layers_.begin()->second - 6;
    for (const auto& [head, left] : heads_) {
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        const Point place{left + cell_ * (static_cast<double>(j) + 0.5) + kSmallFont * 0.35, y};
        drawing_.elements += svg_text("column", place, columns_[j], size + turned(-90, place));
      }
    }
    for (const auto& [layer, top] : layers_) {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const double base = top + cell_ * (static_cast<double>(i) + 0.5) + kSmallFont * 0.35;
        drawing_.elements += svg_text("row", {heads_.begin()->second - 6, base}, rows_[i], size);
      }
    }
  }

  std::span<const AttentionMap> maps_;
  std::vector<std::string> columns_, rows_;
  double cell_ = 0;
  double bottom_ = 0;               // of the last map, or of the axis name if that is lower
  std::map<Index, double> layers_;  // tops of the layers, and left edges of the heads
  std::map<Index, double> heads_;
  Drawing drawing_;
};

}  // namespace

Drawing draw_small(const AttentionMap& map, double cell) {
  return {cell * static_cast<double>(map.columns.size()) + 2, cell * static_cast<double>(map.rows.size()) + 2,
          small_map(map, {1, 1}, cell), map.title, ""};
}

Drawing draw_grid(std::span<const AttentionMap> maps) { return Grid(maps).drawn(); }

}  // namespace dhyan
