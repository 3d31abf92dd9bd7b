#pragma once

#include "explain/drawing.h"

namespace dhyan {

// A page that needs nothing but itself: pictures, the numbers under pointer or arrow keys, and every number in tables.
std::string to_html(const Explanation& explanation);

// Such a page around figures, headed by what was translated.
std::string html_page(std::string_view source, std::string_view translation, std::optional<double> log_probability,
                      std::string_view figures);

// A figure of a page: a drawing, and its numbers as a table that opens; `id` is unique in the page.
std::string html_figure(std::string_view kind, const Drawing& drawing, std::string_view id, const std::string& table);

// An element whose text is of a language the page does not know.
std::string foreign(std::string_view element, std::string_view text, std::string_view attributes = "");

}  // namespace dhyan
