#pragma once

#include <functional>

#include "explain/line_view.h"

namespace dhyan {

inline constexpr Index kLineColours = 8;  // of heads, in turn

// How the heads of a drawing of lines are told apart.
struct LineGroups {
  bool has_key = false;                                        // colours and heads in the picture itself
  std::function<std::string(const AttentionMap&)> attributes;  // of the element with the lines of a head
  std::optional<Index> shown = {};                             // the layer that is seen at first; nothing for all
};

Drawing draw_line_groups(std::span<const AttentionMap> maps, std::string_view title, const LineGroups& groups);

}  // namespace dhyan
