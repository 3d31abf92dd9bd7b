#pragma once

#include "explain/formats.h"

namespace dhyan {

// A translation and its attention as text: source across, target down.
std::string to_text(const Explanation& explanation, const RenderOptions& options);

// Its maps, or its one vector, without the sentences.
std::string attention_text(const Explanation& explanation, const RenderOptions& options);

// Numbers as a row of bars from the smallest to the greatest possible, zero at half height, in lines of at most so many
// cells.
std::string bars(std::span<const double> values, Index width);

}  // namespace dhyan
