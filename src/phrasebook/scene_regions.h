#pragma once

#include <vector>

#include "core/real.h"
#include "phrasebook/scene_captions.h"

namespace dhyan::picturebook {

// The smallest rectangle around the pixels of an object: columns left to right - 1, rows top to bottom - 1.
struct PixelBox {
  int left = 0, top = 0, right = 0, bottom = 0;

  bool operator==(const PixelBox&) const = default;
};
PixelBox box_around(const Object& object);

// The cells of a grid over the picture of which an object covers at least an eighth, or else the one it covers most:
// as row * columns + column, sorted. UsageError unless the grid has 1 to 64 rows and columns.
std::vector<Index> cells(const Object& object, Index rows, Index columns);

// The cells of the objects of each word; none for function words.
std::vector<std::vector<Index>> word_cells(const Scene& scene, const std::vector<ObjectSet>& words, Index rows,
                                           Index columns);

}  // namespace dhyan::picturebook
