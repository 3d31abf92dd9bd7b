#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/number_text.h"
#include "explain/number_format.h"
#include "explain/picture_drawing.h"
#include "explain/picture_view.h"
#include "text/display.h"
#include "vision/resize.h"

namespace dhyan {

namespace {

constexpr Index kUsualWidth = 80, kTextPanelGap = 2, kNarrowestColumn = 12;
constexpr double kPanelPixels = 24 * 18;  // of a panel in half-blocks

struct TextPanel {
  std::string label;
  std::vector<std::string> lines;
};

// Two pixels for each character: the upper half has the colour of the text, the lower one that of its background.
std::vector<std::string> half_blocks(const Picture& picture) {
  const auto colour = [&](Index y, Index x) {
    const auto at = static_cast<std::size_t>((y * picture.width + x) * 3);
    const auto& pixels = picture.pixels;
    return cat("8;2;", int{pixels[at]}, ';', int{pixels[at + 1]}, ';', int{pixels[at + 2]}, 'm');
  };
  std::vector<std::string> lines;
  for (Index y = 0; y + 1 < picture.height; y += 2) {
    std::string line;
    for (Index x = 0; x < picture.width; ++x) line += cat("\x1b[3", colour(y, x), "\x1b[4", colour(y + 1, x), "▀");
    lines.push_back(line + "\x1b[0m");
  }
  return lines;
}

// The picture that the panel of a word shows.
Picture veiled(const PictureMaps& maps, const WordMap& word, const Lighting& lighting) {
  Picture picture = lighting.lit();
  const std::vector<double> weights = smooth_weights(maps, word, picture.height, picture.width);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    const auto [colour, opacity] = lighting.over(weights[i / 3]);
    const double value = picture.pixels[i] * (1 - opacity) + colour[i % 3] * opacity;
    picture.pixels[i] = static_cast<std::uint8_t>(std::lround(value));
  }
  return picture;
}

// A cell is two characters wide: about a square.
std::vector<std::string> shades(const PictureMaps& maps, const WordMap& word) {
  constexpr std::string_view kShades[] = {"··", "░░", "▒▒", "▓▓", "██"};
  const double greatest = peak_of(maps, word).weight;
  std::vector<std::string> lines(static_cast<std::size_t>(maps.rows));
  for (std::size_t cell = 0; cell < word.weights.size(); ++cell) {
    const double share = greatest > 0 ? std::clamp(word.weights[cell] / greatest, 0.0, 1.0) : 0;
    lines[cell / static_cast<std::size_t>(maps.columns)] += kShades[std::lround(std::isnan(share) ? 0 : share * 4)];
  }
  return lines;
}

// Panels of `panel_width` side by side, as many as fit into `width`, each below its label.
std::string side_by_side(const std::vector<TextPanel>& panels, Index panel_width, Index width) {
  const Index column = std::max(panel_width, kNarrowestColumn) + kTextPanelGap;
  const auto in_a_row = static_cast<std::size_t>(std::max<Index>(1, (width + kTextPanelGap) / column));
  const std::string gap(static_cast<std::size_t>(column - panel_width), ' ');
  std::string text;
  for (std::size_t begin = 0; begin < panels.size(); begin += in_a_row) {
    const auto row = std::span(panels).subspan(begin, std::min(in_a_row, panels.size() - begin));
    std::string labels;
    for (const TextPanel& panel : row) labels += padded(cut(panel.label, column - kTextPanelGap), column);
    text += cat('\n', labels.substr(0, labels.find_last_not_of(' ') + 1), '\n');
    for (std::size_t line = 0; line < row.front().lines.size(); ++line) {
      for (const TextPanel& panel : row) text += cat(&panel == row.data() ? "" : gap, panel.lines[line]);
      text += '\n';
    }
  }
  return text;
}

// The labels of the words. Terminals disagree on the width of shaped scripts, so such words are numbered.
std::vector<std::string> labels_of(const PictureMaps& maps, const std::vector<std::string>& words) {
  const bool settled = std::ranges::all_of(words, has_settled_width);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string peak = cat(" ", short_number(peak_of(maps, maps.words[i]).weight));
    labels.push_back(settled ? words[i] + peak : std::to_string(i + 1) + peak);
  }
  return labels;
}

// An even number of rows, so that half-blocks fill them.
Picture small_picture(const Picture& picture) {
  const double shape = static_cast<double>(picture.width) / static_cast<double>(picture.height);
  const double width = std::clamp(std::round(std::sqrt(kPanelPixels * shape)), 4.0, 60.0);
  const double height = std::clamp(2 * std::round(width / shape / 2), 2.0, 60.0);
  return resize(picture, static_cast<Index>(height), static_cast<Index>(width));
}

}  // namespace

std::string picture_text(const PictureMaps& maps, const RenderOptions& options) {
  expect_maps(maps);
  const bool colours = options.colour == Colour::kYes;
  const Index width = options.width == 0 ? kUsualWidth : options.width;
  std::vector<std::string> words;
  for (const WordMap& word : maps.words) words.push_back(shown(word.word));

  std::string text = cat(shown(maps.name), '\n', shown(maps.caption), '\n');
  if (maps.log_probability) text += cat(probability_in_words(*maps.log_probability), '\n');
  if (!std::ranges::all_of(words, has_settled_width)) {
    for (const std::string& line : numbered_words(words, width)) text += cat(line, '\n');
  }
  const Picture plain = small_picture(maps.picture);
  const Lighting lighting(plain);
  std::vector<TextPanel> panels;
  if (colours) panels.push_back({"", half_blocks(plain)});
  const std::vector<std::string> labels = labels_of(maps, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const WordMap& word = maps.words[i];
    panels.push_back({labels[i], colours ? half_blocks(veiled(maps, word, lighting)) : shades(maps, word)});
  }
  text += side_by_side(panels, colours ? plain.width : 2 * maps.columns, width);
  if (words.empty() && maps.attends) return text;
  const std::string reading =
      !maps.attends ? std::string(kNoPanelsReading)
      : colours ? "Light shows where the model looks while it writes a word; the number is the word's greatest weight."
                : "Fuller cells have greater weights while the model writes a word; the number is the greatest.";
  text += '\n';
  for (const std::string& line : wrapped(reading, std::min(width, kUsualWidth))) text += cat(line, '\n');
  return text;
}

}  // namespace dhyan
