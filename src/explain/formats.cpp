#include "explain/formats.h"

#include <array>

#include "explain/html.h"
#include "explain/png.h"
#include "explain/records.h"
#include "explain/svg.h"
#include "explain/terminal.h"

namespace dhyan {

namespace {

template <std::string (*render)(const Explanation&)>
std::string without_options(const Explanation& explanation, const RenderOptions&) {
  return render(explanation);
}

constexpr std::array kFormats = {
    Format{"text", ".txt", "heat map for a terminal", Summary::kMean, to_text, nullptr},
    Format{"svg", ".svg", "picture that scales", Summary::kNone, without_options<to_svg>, nullptr},
    Format{"html", ".html", "page with pictures and tables, complete in one file", Summary::kNone,
           without_options<to_html>, nullptr},
    Format{"png", ".png", "picture in pixels", Summary::kNone, to_png, png_warning},
    Format{"json", ".json", "every number, attention as [layer][head][target][source]", Summary::kNone,
           without_options<to_json>, nullptr},
    Format{"csv", ".csv", "a line for each pair of target and source", Summary::kNone, without_options<to_csv>,
           nullptr},
    Format{"pharaoh", ".align", "i-j, source first, from 0: where each target word looks most", Summary::kMean,
           without_options<to_pharaoh>, nullptr},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

}  // namespace dhyan
