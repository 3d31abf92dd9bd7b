#include "explain/line_view.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "explain/html.h"
#include "explain/line_page_style.h"
#include "explain/line_parts.h"
#include "explain/png.h"
#include "explain/svg.h"

namespace dhyan {

namespace {

constexpr std::array kLineFormats = {
    Format{"html", ".html", "page with buttons that show and hide layers and heads", Summary::kNone, lines_html,
           nullptr},
    Format{"svg", ".svg", "picture that scales", Summary::kMean, lines_svg, nullptr},
    Format{"png", ".png", "picture in pixels", Summary::kMean, lines_png, png_warning},
};

std::string layer_chips(const std::vector<std::span<const AttentionMap>>& layers) {
  if (layers.size() < 2) return "";
  std::string chips;
  for (const auto& layer : layers) {
    const Index number = *layer.front().layer;
    chips += cat("<button type=\"button\" aria-pressed=\"", &layer == &layers.back() ? "true" : "false",
                 "\" data-choose-layer=\"", number, "\">layer ", number + 1, "</button>\n");
  }
  return cat("<fieldset class=\"chips\"><legend>Layer</legend>\n", chips, "</fieldset>\n");
}

std::string head_chips(std::span<const AttentionMap> heads) {
  if (heads.size() < 2) return "";
  std::string chips;
  for (const AttentionMap& map : heads) {
    chips += cat("<button type=\"button\" aria-pressed=\"true\" data-choose-head=\"", *map.head,
                 "\"><svg width=\"12\" height=\"12\" aria-hidden=\"true\" class=\"h", *map.head % kLineColours,
                 "\"><rect class=\"key\" width=\"12\" height=\"12\"/></svg>head ", *map.head + 1, "</button>\n");
  }
  return cat("<fieldset class=\"chips\"><legend>Heads, on or off</legend>\n", chips, "</fieldset>\n");
}

std::string line_section(std::span<const AttentionMap> maps) {
  const auto layers = by_layer(maps);
  const std::optional<Index> last = layers.back().front().layer;
  const auto attributes = [&](const AttentionMap& map) {
    if (!map.layer || !map.head) return std::string();
    return cat(" data-layer=\"", *map.layer, "\" data-head=\"", *map.head, "\"");
  };
  const AttentionMap& first = maps.front();
  const std::string title = maps.size() == 1 && !first.title.empty() ? first.title : title_of(first.place);
  Drawing drawing = draw_line_groups(maps, title, {.has_key = false, .attributes = attributes, .shown = last});
  const AttentionMap mean = mean_of(maps);
  return cat("<section class=\"line-view\">\n", layer_chips(layers), head_chips(layers.back()),
             html_figure("lines", drawing, cat("lines-", name_of(first.place)), weights_table(mean)), "</section>\n");
}

void expect_attention(const Explanation& explanation) {
  if (!explanation.maps.empty()) return;
  throw UsageError(
      "explain: this model does not attend, so there are no lines to draw; --view map shows its context vector");
}

}  // namespace

std::span<const Format> line_formats() { return kLineFormats; }

std::string lines_svg(const Explanation& explanation, const RenderOptions&) {
  expect_attention(explanation);
  std::vector<Drawing> drawings;
  for (const std::span<const AttentionMap> place : by_place(explanation.maps)) {
    for (const std::span<const AttentionMap> layer : by_layer(place)) drawings.push_back(draw_lines(layer));
  }
  return standalone_svg(stacked(drawings), "lines");
}

std::string lines_png(const Explanation& explanation, const RenderOptions& options) {
  return svg_to_png(lines_svg(explanation, options), options);
}

std::string lines_html(const Explanation& explanation, const RenderOptions&) {
  expect_attention(explanation);
  std::string sections;
  for (const std::span<const AttentionMap> place : by_place(explanation.maps)) sections += line_section(place);
  return html_page({.source = explanation.source,
                    .translation = explanation.translation,
                    .log_probability = explanation.log_probability,
                    .content = sections,
                    .style = kLinePageStyle,
                    .script = kLinePageScript});
}

}  // namespace dhyan
