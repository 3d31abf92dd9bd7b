#include "explain/svg.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

namespace {

std::string size_of(const Drawing& drawing) {
  return cat(" width=\"", drawing.width, "\" height=\"", drawing.height, "\" viewBox=\"0 0 ", drawing.width, ' ',
             drawing.height, "\"");
}

// `inside` precedes the elements of the drawing.
std::string element(const Drawing& drawing, std::string_view id, std::string_view inside) {
  return cat("<svg xmlns=\"http://www.w3.org/2000/svg\"", size_of(drawing),
             " class=\"picture\" role=\"img\" aria-labelledby=\"", id, "-title ", id, "-description\">\n<title id=\"",
             id, "-title\">", xml_text(drawing.title), "</title>\n<desc id=\"", id, "-description\">",
             xml_text(drawing.description), "</desc>\n", inside, drawing.elements, "</svg>\n");
}

}  // namespace

Drawing stacked(const std::vector<Drawing>& drawings) {
  if (drawings.size() == 1) return drawings.front();
  Drawing all;
  for (const Drawing& drawing : drawings) {
    all.elements += cat("<g transform=\"translate(0 ", all.height, ")\">\n", drawing.elements, "</g>\n");
    all.width = std::max(all.width, drawing.width);
    all.height += drawing.height;
    all.title += cat(all.title.empty() ? "" : "; ", drawing.title);
    all.description += cat(all.description.empty() ? "" : " ", drawing.title, ". ", drawing.description);
  }
  return all;
}

std::string standalone_svg(const Drawing& drawing, std::string_view id, std::string_view style) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
         element(drawing, id,
                 cat("<style>\n", kPictureStyle, style,
                     "</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"));
}

std::string svg_element(const Drawing& drawing, std::string_view id) { return element(drawing, id, ""); }

std::string svg_image(const Drawing& drawing) {
  return cat("<svg", size_of(drawing), " class=\"picture\" aria-hidden=\"true\">\n", drawing.elements, "</svg>");
}

Drawing drawing_of(const Explanation& explanation) {
  std::vector<Drawing> drawings;
  for (const std::span<const AttentionMap> place : by_place(explanation.maps)) {
    drawings.push_back(place.size() == 1 ? draw_map(place.front()) : draw_grid(place));
  }
  if (drawings.empty()) drawings.push_back(draw_context_vector(explanation));
  return stacked(drawings);
}

std::string to_svg(const Explanation& explanation) { return standalone_svg(drawing_of(explanation), "attention"); }

}  // namespace dhyan
