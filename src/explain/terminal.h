#pragma once

#include "explain/formats.h"

namespace dhyan {

// A translation and its attention as text: source words across, target words down.
std::string to_text(const Explanation& explanation, const RenderOptions& options);

// The maps, or the context vector, without source and translation.
std::string attention_text(const Explanation& explanation, const RenderOptions& options);

// Values as bars between -m and m, where m is the greatest magnitude; zero has half height. Lines have at most `width`
// cells.
std::string bars(std::span<const double> values, Index width);

}  // namespace dhyan
