#pragma once

#include "explain/drawing.h"

namespace dhyan {

// A self-contained page: pictures, the weight under the pointer or arrow keys, and every weight in a table.
std::string to_html(const Explanation& explanation);

// A self-contained page, headed by source and translation.
struct HtmlPage {
  std::string_view source;
  std::string_view translation;
  std::optional<double> log_probability;
  std::string_view content;     // elements after the heading
  std::string_view style = {};  // CSS and JavaScript in addition to those of every page
  std::string_view script = {};
  std::string_view heading = {};  // elements instead of source and translation
};
std::string html_page(const HtmlPage& page);

// JavaScript that shows the weight under the pointer or arrow keys, and switches heads.
extern const std::string_view kMapScript;

// A page of figures.
std::string html_page(std::string_view source, std::string_view translation, std::optional<double> log_probability,
                      std::string_view figures);

// A figure: a drawing, the elements beside it, and below both a table that opens and scrolls without moving them; `id`
// is unique in the page.
std::string html_figure(std::string_view kind, const Drawing& drawing, std::string_view id, const std::string& table,
                        std::string_view beside = "");

// The figures of an explanation. Their ids begin with `prefix`, for pages with several explanations.
std::string html_figures(const Explanation& explanation, std::string_view prefix = "");

// The weights of a map as a table.
std::string weights_table(const AttentionMap& map);

// An element whose text may be in any language.
std::string foreign(std::string_view element, std::string_view text, std::string_view attributes = "");

}  // namespace dhyan
