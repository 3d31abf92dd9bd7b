#include "phrasebook/scene_regions.h"

#include <algorithm>

#include "core/error.h"
#include "phrasebook/scene_drawing.h"

namespace dhyan::picturebook {

PixelBox box_around(const Object& object) {
  const Coverage cover = coverage(object);
  PixelBox box{kSide, kSide, 0, 0};
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      if (cover[static_cast<std::size_t>(y * kSide + x)] == 0) continue;
      box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x + 1), std::max(box.bottom, y + 1)};
    }
  }
  return box;
}

std::vector<Index> cells(const Object& object, Index rows, Index columns) {
  if (rows < 1 || columns < 1 || rows > kSide || columns > kSide) {
    throw UsageError(cat("picture book: a grid of ", rows, " x ", columns, " cells; expected 1 to ", kSide));
  }
  // A pixel belongs to the cell of its centre.
  std::vector<Index> covered(static_cast<std::size_t>(rows * columns)), whole(covered.size());
  const Coverage cover = coverage(object);
  for (Index y = 0; y < kSide; ++y) {
    const Index first = (2 * y + 1) * rows / (2 * kSide) * columns;
    for (Index x = 0; x < kSide; ++x) {
      const auto cell = static_cast<std::size_t>(first + (2 * x + 1) * columns / (2 * kSide));
      covered[cell] += cover[static_cast<std::size_t>(y * kSide + x)];
      whole[cell] += 255;
    }
  }
  std::vector<Index> result;
  for (std::size_t cell = 0; cell < covered.size(); ++cell) {
    if (8 * covered[cell] >= whole[cell]) result.push_back(static_cast<Index>(cell));
  }
  if (result.empty()) result.push_back(std::ranges::max_element(covered) - covered.begin());
  return result;
}

std::vector<std::vector<Index>> word_cells(const Scene& scene, const std::vector<ObjectSet>& words, Index rows,
                                           Index columns) {
  std::vector<std::vector<Index>> of_objects;
  for (const Object& object : scene.objects) of_objects.push_back(cells(object, rows, columns));
  std::vector<std::vector<Index>> of_words;
  for (const ObjectSet objects : words) {
    std::vector<Index>& all = of_words.emplace_back();
    for (std::size_t i = 0; i < of_objects.size(); ++i) {
      if ((objects >> i & 1) != 0) all.insert(all.end(), of_objects[i].begin(), of_objects[i].end());
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
  return of_words;
}

}  // namespace dhyan::picturebook
