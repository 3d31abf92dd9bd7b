#pragma once

#include <span>
#include <vector>

#include "markup/aligned_flow.h"

namespace dhyan {

// The place of an item of a flow in the translation: before part `gap`, or after the last part.
struct PlacedItem {
  const FlowItem* item = nullptr;
  Index gap = 0;
};

// Places all items of a flow, in the order in which they are written: gaps ascend, and elements nest as in the source.
// Takes O(n log n) time in items and words.
std::vector<PlacedItem> placed_items(std::span<const FlowItem> items, const AlignedFlow& aligned);

}  // namespace dhyan
