#include "explain/terminal.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "explain/number_format.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr Index kNumberCell = 5;  // "█.86" and a space
constexpr Index kWidestLabel = 16;
constexpr Index kAnyWidth = 1'000'000;
constexpr Index kTextWidth = 80;
constexpr std::string_view kBarsReading =
    "Each bar is one element of the vector: ▁ most negative, ▅ zero, █ most positive.";

// A shade and the number: dark cells catch the eye, and every weight stays readable.
std::string plain_cell(double weight) {
  constexpr std::string_view kShades[] = {"░", "▒", "▓", "█"};
  if (!(weight >= 0.005)) return short_number(weight);
  const auto level = static_cast<std::size_t>(std::min(weight, 0.999) * std::size(kShades));
  return cat(kShades[level], short_number(weight));
}

Index widest(const std::vector<std::string>& labels) {
  Index width = 0;
  for (const std::string& label : labels) width = std::max(width, display_width(label));
  return width;
}

Index width_of(const RenderOptions& options) { return options.width == 0 ? kAnyWidth : options.width; }

// The layout of columns. Terminals disagree on the width of shaped scripts such as Devanagari, so such a label is the
// last of its line, and its column has a number as heading.
struct Columns {
  bool named;         // headings are words of the source, not their numbers
  bool labels_first;  // target words are left of their rows, not right
  Index label_width;
  Index number_width;
  Index cell;
  std::size_t in_a_block;  // columns that fit side by side
};

Columns columns_for(const std::vector<std::string>& source, const std::vector<std::string>& target, Index width) {
  Columns columns{};
  columns.labels_first = std::ranges::all_of(target, has_settled_width);
  columns.label_width = std::min(widest(target), kWidestLabel);
  columns.number_width = static_cast<Index>(std::to_string(target.size()).size());
  const Index beside = 3 + columns.label_width + (columns.labels_first ? 0 : 2 + columns.number_width);
  const Index named_cell = std::max(kNumberCell, widest(source) + 1);
  columns.named = std::ranges::all_of(source, has_settled_width) && widest(source) <= kWidestLabel &&
                  beside + named_cell * static_cast<Index>(source.size()) <= width;
  columns.cell = columns.named ? named_cell : kNumberCell;
  columns.in_a_block = static_cast<std::size_t>(std::max<Index>(1, (width - beside) / columns.cell));
  return columns;
}

class HeatMap {
 public:
  HeatMap(const AttentionMap& map, const RenderOptions& options)
      : map_(map), colour_(options.colour), width_(width_of(options)) {
    for (const std::string& label : map.columns) source_.push_back(shown(label));
    for (const std::string& label : map.rows) target_.push_back(cut(shown(label), kWidestLabel));
    columns_ = columns_for(source_, target_, width_);
  }

  std::string text() const {
    std::string text = map_.title.empty() ? "" : cat(shown(map_.title), '\n');
    for (std::size_t begin = 0; begin < source_.size(); begin += columns_.in_a_block) {
      if (begin > 0) text += '\n';
      append_block(text, begin, std::min(source_.size(), begin + columns_.in_a_block));
    }
    return text;
  }

 private:
  void append_block(std::string& text, std::size_t begin, std::size_t end) const {
    if (!columns_.named) {
      const std::span<const std::string> block = std::span(source_).subspan(begin, end - begin);
      for (const std::string& legend : numbered_words(block, width_ - 2, static_cast<Index>(begin) + 1)) {
        append_line(text, cat("  ", legend));
      }
    }
    std::string line = row_head("", 0);
    for (std::size_t j = begin; j < end; ++j) {
      line += padded(columns_.named ? source_[j] : std::to_string(j + 1), columns_.cell, Align::kCentre);
    }
    append_line(text, line);
    for (std::size_t i = 0; i < target_.size(); ++i) {
      line = row_head(target_[i], i + 1);
      for (std::size_t j = begin; j < end; ++j) line += cell(map_.weights[i][j]);
      append_line(text, columns_.labels_first ? line : cat(line, "  ", target_[i]));
    }
  }

  static void append_line(std::string& text, std::string_view line) {
    text += line.substr(0, line.find_last_not_of(' ') + 1);
    text += '\n';
  }

  std::string row_head(const std::string& label, std::size_t number) const {
    if (columns_.labels_first) return cat("  ", padded(label, columns_.label_width), ' ');
    return cat("  ", padded(number == 0 ? "" : std::to_string(number), columns_.number_width, Align::kRight), ' ');
  }

  std::string cell(double weight) const {
    if (colour_ == Colour::kNo) return padded(plain_cell(weight), columns_.cell, Align::kCentre);
    return shaded(padded(short_number(weight), columns_.cell, Align::kCentre), weight);
  }

  const AttentionMap& map_;
  Colour colour_;
  Index width_;
  std::vector<std::string> source_, target_;
  Columns columns_{};
};

// A caption for the maps of each place, in lines of at most `width`.
std::string readings(std::span<const AttentionMap> maps, Index width) {
  std::string text;
  for (const std::span<const AttentionMap> place : by_place(maps)) {
    const AxisNames axes = axes_of(place.front());
    std::vector<std::string> labels = place.front().columns;
    labels.insert(labels.end(), place.front().rows.begin(), place.front().rows.end());
    const std::string line = cat("Columns: ", axes.across, "; rows: ", axes.down, "; weights α, each row sums to 1. ",
                                 marks_in_words(labels));
    for (const std::string& part : wrapped(line, width)) text += cat(part, '\n');
  }
  return text;
}

}  // namespace

std::string bars(std::span<const double> values, Index width) {
  constexpr std::string_view kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr auto kHeights = static_cast<double>(std::size(kBars));
  const double greatest = greatest_size(values);
  std::string text;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k > 0 && static_cast<Index>(k) % width == 0) text += '\n';
    const double share =
        greatest > 0 ? (values[k] / greatest + 1) / 2 : 0.5;  // of the range from -greatest to greatest
    text += std::isfinite(values[k]) ? kBars[static_cast<std::size_t>(std::min(share * kHeights, kHeights - 1))] : "?";
  }
  return text;
}

std::string to_text(const Explanation& explanation, const RenderOptions& options) {
  std::string text = explanation.source.empty() ? "" : shown(explanation.source) + '\n';
  if (explanation.log_probability) {
    text += cat(shown(explanation.translation), '\n', probability_in_words(*explanation.log_probability), '\n');
  }
  return text + attention_text(explanation, options);
}

std::string attention_text(const Explanation& explanation, const RenderOptions& options) {
  std::string text;
  for (const AttentionMap& map : explanation.maps) text += cat('\n', HeatMap(map, options).text());
  const Index width = std::min(width_of(options), kTextWidth);
  if (!explanation.maps.empty()) return cat(text, '\n', readings(explanation.maps, width));
  text += '\n';
  for (const std::string& line : wrapped(context_vector_in_words(explanation.context_vector), width))
    text += cat(line, '\n');
  text += cat('\n', bars(explanation.context_vector, width), '\n');
  for (const std::string& line : wrapped(kBarsReading, width)) text += cat(line, '\n');
  return text;
}

}  // namespace dhyan
