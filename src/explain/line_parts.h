#pragma once

#include <functional>

#include "explain/line_view.h"

namespace dhyan {

inline constexpr Index kLineColours = 8;  // of heads; further heads repeat them

// How a drawing of lines distinguishes heads.
struct LineGroups {
  bool has_key = false;                                        // the picture has a legend of heads and colours
  std::function<std::string(const AttentionMap&)> attributes;  // of the element that contains the lines of a head
  std::optional<Index> shown = {};                             // the layer that is visible at first; empty: all
};

Drawing draw_line_groups(std::span<const AttentionMap> maps, std::string_view title, const LineGroups& groups);

}  // namespace dhyan
