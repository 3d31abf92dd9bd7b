#pragma once

#include "explain/drawing.h"

namespace dhyan {

// A page that needs nothing but itself: pictures, the numbers under pointer or arrow keys, and every number in tables.
std::string to_html(const Explanation& explanation);

// A page that needs nothing but itself, headed by what was translated.
struct HtmlPage {
  std::string_view source;
  std::string_view translation;
  std::optional<double> log_probability;
  std::string_view content;     // elements that follow the heading
  std::string_view style = {};  // CSS and JavaScript beside what all pages have
  std::string_view script = {};
};
std::string html_page(const HtmlPage& page);

// What makes the maps of a page say the number under pointer or arrow keys.
extern const std::string_view kMapScript;

// A page of figures.
std::string html_page(std::string_view source, std::string_view translation, std::optional<double> log_probability,
                      std::string_view figures);

// A figure of a page: a drawing, what stands beside it, and below both its numbers as a table that opens and scrolls by
// itself, so that nothing moves; `id` is unique in the page.
std::string html_figure(std::string_view kind, const Drawing& drawing, std::string_view id, const std::string& table,
                        std::string_view beside = "");

// The figures of an explanation; ids in them begin with `prefix`, for pages with several.
std::string html_figures(const Explanation& explanation, std::string_view prefix = "");

// The weights of a map as a table.
std::string weights_table(const AttentionMap& map);

// An element whose text is of a language the page does not know.
std::string foreign(std::string_view element, std::string_view text, std::string_view attributes = "");

}  // namespace dhyan
