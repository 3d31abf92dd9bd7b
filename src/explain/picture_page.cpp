#include "core/error.h"
#include "explain/html.h"
#include "explain/picture_drawing.h"
#include "explain/picture_page_style.h"
#include "explain/picture_view.h"

namespace dhyan {

namespace {

std::string word_button(const PictureMaps& maps, std::size_t word) {
  return foreign("button", maps.words[word].word,
                 cat(" type=\"button\" class=\"word\" aria-pressed=\"false\" data-word=\"", word, "\" data-reading=\"",
                     xml_text(peak_in_words(maps, maps.words[word])), "\""));
}

// The words of the caption, each a button; the caption as text if there are no maps.
std::string caption_of(const PictureMaps& maps) {
  if (maps.words.empty()) return foreign("span", maps.caption);
  std::string words;
  for (std::size_t i = 0; i < maps.words.size(); ++i) words += cat(i == 0 ? "" : " ", word_button(maps, i));
  return cat("<span dir=\"auto\" class=\"caption\">", words, "</span>");
}

std::string svg_of(std::string_view kind, PanelSize size, std::string_view elements, std::string_view attributes) {
  return cat("<svg class=\"", kind, "\" viewBox=\"0 0 ", size.width, ' ', size.height, "\"", attributes, ">", elements,
             "</svg>\n");
}

// The large picture. Its map is hidden until a word is chosen.
std::string stage_of(const PictureMaps& maps, PanelSize size) {
  const std::string map = maps.words.empty() ? "" : cat("<g class=\"map\">", word_elements(0), "</g>");
  return cat("<figure class=\"large\">\n",
             svg_of("stage", size, clipped_panel(plain_elements() + map),
                    cat(" role=\"img\" aria-label=\"", xml_text(maps.name), "\"")),
             "<figcaption><output aria-live=\"polite\"></output></figcaption>\n</figure>\n");
}

std::string panels_of(const PictureMaps& maps, PanelSize size) {
  if (!maps.attends) return cat("<p class=\"note\">", kNoPanelsReading, "</p>\n");
  if (maps.words.empty()) return "";
  std::string panels;
  for (std::size_t i = 0; i < maps.words.size(); ++i) {
    panels += cat("<li data-word=\"", i, "\">",
                  svg_of("panel", size, clipped_panel(word_elements(i)), " aria-hidden=\"true\""),
                  foreign("b", maps.words[i].word), "<small>", peak_label(maps, maps.words[i]), "</small></li>\n");
  }
  return cat("<p class=\"note\">", kPanelsReading, "</p>\n<ol class=\"panels\">\n", panels, "</ol>\n");
}

}  // namespace

std::string picture_html(const PictureMaps& maps, const RenderOptions&) {
  expect_maps(maps);
  const PanelSize size = panel_size(maps.picture);
  const std::string style = cat(kPicturePageStyle, ".panels { --panel: ", size.width, "px; }\n");
  const std::string content = cat("<svg class=\"definitions\" width=\"0\" height=\"0\" aria-hidden=\"true\">\n",
                                  panel_definitions(maps), "</svg>\n", stage_of(maps, size), panels_of(maps, size));
  const std::string heading = caption_of(maps);
  return html_page({.source = maps.caption,
                    .translation = "",
                    .log_probability = maps.log_probability,
                    .content = content,
                    .style = style,
                    .script = maps.words.empty() ? "" : kPicturePageScript,
                    .heading = heading});
}

}  // namespace dhyan
