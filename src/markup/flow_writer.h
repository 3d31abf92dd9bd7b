#pragma once

#include <span>
#include <string>

#include "markup/placement.h"

namespace dhyan {

// The translation of a flow with its items in place, and its text escaped. White space goes outside of elements:
// "<b>red</b> <i>car</i>", and surrounds visible items as in the source.
std::string written_flow(const Flow& flow, const AlignedFlow& aligned, std::span<const PlacedItem> placed);

}  // namespace dhyan
