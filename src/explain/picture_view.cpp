#include "explain/picture_view.h"

#include <array>

#include "core/error.h"
#include "explain/number_format.h"
#include "explain/picture_drawing.h"
#include "explain/png.h"
#include "explain/records.h"
#include "explain/svg.h"

namespace dhyan {

namespace {

std::string picture_png_warning(const PictureMaps& maps) {
  std::vector<std::string> labels{maps.name, maps.caption};
  for (const WordMap& word : maps.words) labels.push_back(word.word);
  return font_warning(labels);
}

constexpr std::array kPictureViewFormats = {
    PictureViewFormat{"text", ".txt", "the picture for a terminal, once for each word", picture_text, nullptr},
    PictureViewFormat{"svg", ".svg", "the picture, once for each word", picture_svg, nullptr},
    PictureViewFormat{"html", ".html", "page that shows the map of a word over the picture, complete in one file",
                      picture_html, nullptr},
    PictureViewFormat{"png", ".png", "as svg, in pixels", picture_png, picture_png_warning},
    PictureViewFormat{"json", ".json", "every weight, as [row][column] of each word", picture_json, nullptr},
};

// "{"word": "dog", "weights": [[0.1, 0.2], [0.3, 0.4]]}".
std::string json_word(const PictureMaps& maps, const WordMap& word) {
  std::string text = cat("{\"word\": ", json_string(word.word), ", \"weights\":\n     [");
  for (std::size_t cell = 0; cell < word.weights.size(); ++cell) {
    const bool begins_row = static_cast<Index>(cell) % maps.columns == 0;
    text += cat(!begins_row ? ", " : cell == 0 ? "[" : "],\n      [", number(word.weights[cell], "null"));
  }
  return text + "]]}";
}

}  // namespace

std::span<const PictureViewFormat> picture_view_formats() { return kPictureViewFormats; }

std::string picture_svg(const PictureMaps& maps, const RenderOptions&) {
  return standalone_svg(draw_picture_maps(maps), "picture");
}

std::string picture_png(const PictureMaps& maps, const RenderOptions& options) {
  return svg_to_png(picture_svg(maps, options), options);
}

std::string picture_json(const PictureMaps& maps, const RenderOptions&) {
  expect_maps(maps);
  std::string words;
  for (const WordMap& word : maps.words) words += cat(words.empty() ? "\n    " : ",\n    ", json_word(maps, word));
  return cat("{\n  \"picture\": ", json_string(maps.name), ",\n  \"height\": ", maps.picture.height,
             ",\n  \"width\": ", maps.picture.width, ",\n  \"caption\": ", json_string(maps.caption),
             ",\n  \"log_probability\": ", maps.log_probability ? number(*maps.log_probability, "null") : "null",
             ",\n  \"rows\": ", maps.rows, ",\n  \"columns\": ", maps.columns, ",\n  \"words\": [", words, "]\n}\n");
}

}  // namespace dhyan
