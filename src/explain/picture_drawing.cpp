#include "explain/picture_drawing.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/number_text.h"
#include "explain/data_uri.h"
#include "explain/number_format.h"
#include "text/display.h"
#include "vision/resize.h"
#include "vision/write_picture.h"

namespace dhyan {

const std::string_view kPanelsReading =
    "Light shows where the model looks while it writes a word; the brightest place has the word's greatest weight, α.";
const std::string_view kNoPanelsReading = "The model has no attention: it sees the picture as one vector.";

namespace {

constexpr double kPanelArea = 200 * 150, kBetweenPanels = 16, kWordSize = 15, kCaptionSize = 19;
constexpr double kNarrowestShape = 1.0 / 3, kWidestShape = 3;  // width by height of a panel
constexpr double kBelowPanel = 56;                             // a word and its greatest weight
constexpr Index kLongestSide = 800, kLongestVeil = 96;         // of embedded images, in pixels
constexpr double kVeilBleed = 0.5;                             // so that the veil's soft edge lets no light through
constexpr std::size_t kMostInARow = 5;
constexpr Index kMagnified = 320;                     // a shorter picture is magnified, and its artefacts too
constexpr int kQuality = 85, kMagnifiedQuality = 95;  // of JPEG

// The picture with a longest side of at most `longest`.
Picture at_most(const Picture& picture, Index longest) {
  const Index side = std::max(picture.height, picture.width);
  if (side <= longest) return picture;
  return resize(picture, std::max<Index>(1, picture.height * longest / side),
                std::max<Index>(1, picture.width * longest / side));
}

// An image of the panel's size, or larger by `bleed` on each side.
std::string panel_image(std::string_view id, PanelSize size, const std::string& uri, double bleed = 0) {
  return cat("<image id=\"", id, "\" x=\"", -bleed, "\" y=\"", -bleed, "\" width=\"", size.width + 2 * bleed,
             "\" height=\"", size.height + 2 * bleed, "\" preserveAspectRatio=\"none\" href=\"", uri, "\"/>\n");
}

std::string veil_uri(const PictureMaps& maps, const WordMap& word, const Lighting& lighting) {
  const PanelSize size = panel_size(maps.picture);
  const double scale = static_cast<double>(kLongestVeil) / std::max(size.width, size.height);
  Picture veil{std::lround(size.height * scale), std::lround(size.width * scale), {}};
  std::vector<std::uint8_t> alpha;
  for (const double weight : smooth_weights(maps, word, veil.height, veil.width)) {
    const Lighting::Cover cover = lighting.over(weight);
    for (const double value : cover.colour) veil.pixels.push_back(static_cast<std::uint8_t>(std::lround(value)));
    alpha.push_back(static_cast<std::uint8_t>(std::lround(255 * cover.opacity)));
  }
  return data_uri("image/png", to_png_bytes(veil, alpha));
}

std::string picture_in_words(const PictureMaps& maps) {
  std::string text = cat("Picture: ", maps.name, ". Caption: ", maps.caption, ".");
  for (const WordMap& word : maps.words) text += cat(' ', peak_in_words(maps, word), '.');
  return text;
}

std::string centred(std::string_view kind, Point at, const std::string& text, double size, double width) {
  const auto fits = static_cast<Index>(width / (0.62 * size));
  return svg_text(
      kind, at, cut(shown(text), std::max<Index>(fits, 4)),
      cat(" text-anchor=\"middle\"", kind == "word" ? cat(" font-size=\"", size, "\" font-weight=\"600\"") : ""));
}

// The caption and its probability, above the panels.
void append_caption(Drawing& drawing, const PictureMaps& maps) {
  const auto fits = static_cast<Index>((drawing.width - 2 * kMargin) / (0.62 * kCaptionSize));
  const std::string attributes = cat(" font-size=\"", kCaptionSize, "\" font-weight=\"600\"");
  double y = kMargin;
  for (const std::string& line : wrapped(shown(maps.caption), fits)) {
    drawing.elements += svg_text("caption", {kMargin, y += kCaptionSize * kLineHeight}, line, attributes);
  }
  if (maps.log_probability) {
    y += kSmallSize * kLineHeight + 2;
    drawing.elements += svg_text("reading", {kMargin, y}, probability_in_words(*maps.log_probability));
  }
  drawing.height = std::ceil(y + kBetweenPanels);
}

}  // namespace

PanelSize panel_size(const Picture& picture) {
  const double shape = std::clamp(static_cast<double>(picture.width) / static_cast<double>(picture.height),
                                  kNarrowestShape, kWidestShape);
  return {std::round(std::sqrt(kPanelArea * shape)), std::round(std::sqrt(kPanelArea / shape))};
}

std::string panel_definitions(const PictureMaps& maps) {
  const PanelSize size = panel_size(maps.picture);
  const Picture photo = at_most(maps.picture, kLongestSide);
  const Lighting lighting(photo);
  const int quality = std::max(photo.height, photo.width) < kMagnified ? kMagnifiedQuality : kQuality;
  const auto jpeg = [&](const Picture& picture) { return data_uri("image/jpeg", to_jpeg_bytes(picture, quality)); };
  std::string definitions = cat("<defs>\n<clipPath id=\"corners\"><rect width=\"", size.width, "\" height=\"",
                                size.height, "\" rx=\"6\"/></clipPath>\n", panel_image("photo", size, jpeg(photo)));
  definitions +=
      lighting.lit() == photo ? "<use id=\"lit\" href=\"#photo\"/>\n" : panel_image("lit", size, jpeg(lighting.lit()));
  for (std::size_t i = 0; i < maps.words.size(); ++i) {
    definitions += panel_image(cat("veil-", i), size, veil_uri(maps, maps.words[i], lighting), kVeilBleed);
  }
  return definitions + "</defs>\n";
}

std::string clipped_panel(std::string_view elements) {
  return cat("<g clip-path=\"url(#corners)\">", elements, "</g>");
}

std::string plain_elements() { return "<use href=\"#photo\"/>"; }

std::string word_elements(std::size_t word) {
  return cat("<use href=\"#lit\"/><use class=\"veil\" href=\"#veil-", word, "\"/>");
}

std::string peak_label(const PictureMaps& maps, const WordMap& word) {
  return cat("α ≤ ", fixed(peak_of(maps, word).weight, 2));
}

Drawing draw_picture_maps(const PictureMaps& maps) {
  expect_maps(maps);
  const PanelSize panel = panel_size(maps.picture);
  const std::size_t panels = maps.words.size() + 1, rows = (panels + kMostInARow - 1) / kMostInARow;
  const std::size_t in_a_row = (panels + rows - 1) / rows;  // about equally many in each
  const double row = static_cast<double>(in_a_row) * (panel.width + kBetweenPanels) - kBetweenPanels + 2 * kMargin;
  Drawing drawing{std::max(row, kNarrowest), 0, panel_definitions(maps), cat("Attention over ", maps.name),
                  picture_in_words(maps)};
  append_caption(drawing, maps);
  for (std::size_t i = 0; i < panels; ++i) {
    const double x = kMargin + static_cast<double>(i % in_a_row) * (panel.width + kBetweenPanels);
    const double y = drawing.height + static_cast<double>(i / in_a_row) * (panel.height + kBelowPanel);
    drawing.elements += cat("<g transform=\"translate(", x, ' ', y, ")\">",
                            clipped_panel(i == 0 ? plain_elements() : word_elements(i - 1)), "</g>\n");
    const Point below{x + panel.width / 2, y + panel.height + 20};
    if (i == 0) {
      drawing.elements += centred("reading", below, maps.name, kSmallSize, panel.width);
    } else {
      const WordMap& word = maps.words[i - 1];
      drawing.elements += centred("word", below, word.word, kWordSize, panel.width);
      drawing.elements += centred("reading", {below.x, below.y + 18}, peak_label(maps, word), kSmallSize, panel.width);
    }
  }
  drawing.height += std::ceil(static_cast<double>(rows) * (panel.height + kBelowPanel));
  if (!maps.words.empty() || !maps.attends) append_reading(drawing, maps.attends ? kPanelsReading : kNoPanelsReading);
  return drawing;
}

}  // namespace dhyan
