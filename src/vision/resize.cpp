#include "vision/resize.h"

#include <algorithm>
#include <cstdint>

#include "core/error.h"
#include "vision/is_whole.h"

namespace dhyan {

namespace {

// A new row or column is the sum of `weights` times old ones, starting at `first`, divided by the sum of the weights.
struct Taps {
  Index first = 0;
  std::vector<std::uint64_t> weights;
};

// In units of 1/to, an old pixel j covers [j to, (j + 1) to) and a new one i covers [i from, (i + 1) from).
Taps area_taps(Index i, Index from, Index to) {
  const Index begin = i * from, end = begin + from;
  Taps taps{begin / to, {}};
  for (Index j = taps.first; j * to < end; ++j) {
    const Index overlap = std::min(end, (j + 1) * to) - std::max(begin, j * to);
    taps.weights.push_back(static_cast<std::uint64_t>(overlap));
  }
  return taps;
}

// In units of 1/(2 to), the centre of a new pixel i lies at (2i + 1) from, that of an old one j at (2j + 1) to.
Taps linear_taps(Index i, Index from, Index to) {
  const Index beyond = (2 * i + 1) * from - to;  // the centre of the first old pixel
  if (beyond <= 0) return {0, {static_cast<std::uint64_t>(2 * to)}};
  const Index j = beyond / (2 * to), part = beyond % (2 * to);
  if (j >= from - 1) return {from - 1, {static_cast<std::uint64_t>(2 * to)}};
  return {j, {static_cast<std::uint64_t>(2 * to - part), static_cast<std::uint64_t>(part)}};
}

struct Axis {
  std::vector<Taps> taps;
  std::uint64_t sum = 0;  // of the weights of each new pixel
};

Axis axis_of(Index from, Index to) {
  Axis axis;
  axis.sum = static_cast<std::uint64_t>(to <= from ? from : 2 * to);
  for (Index i = 0; i < to; ++i) axis.taps.push_back(to <= from ? area_taps(i, from, to) : linear_taps(i, from, to));
  return axis;
}

}  // namespace

Picture resize(const Picture& picture, Index height, Index width) {
  constexpr Index kMost = 1 << 20;  // of a side: sums of 255 times the weights of both axes then fit into 64 bits
  if (!is_whole(picture)) throw UsageError("resize: the picture has no pixels");
  if (height < 1 || width < 1 || height > kMost || width > kMost) {
    throw UsageError(cat("resize: the new size is ", width, " x ", height, "; expected 1 to ", kMost, " each"));
  }
  const Axis down = axis_of(picture.height, height), across = axis_of(picture.width, width);
  const std::uint64_t sum = down.sum * across.sum;
  const auto row_size = static_cast<std::size_t>(picture.width * 3);
  std::vector<std::uint64_t> row(row_size);  // [W,3], times down.sum
  Picture result{height, width, {}};
  result.pixels.reserve(static_cast<std::size_t>(height * width * 3));
  for (const Taps& rows : down.taps) {
    std::ranges::fill(row, 0);
    const std::uint8_t* from = picture.pixels.data() + static_cast<std::size_t>(rows.first) * row_size;
    for (const std::uint64_t weight : rows.weights) {
      for (std::size_t k = 0; k < row_size; ++k) row[k] += weight * from[k];
      from += row_size;
    }
    for (const Taps& columns : across.taps) {
      for (std::size_t colour = 0; colour < 3; ++colour) {
        std::uint64_t value = sum / 2;
        const std::uint64_t* cell = row.data() + static_cast<std::size_t>(columns.first) * 3 + colour;
        for (const std::uint64_t weight : columns.weights) {
          value += weight * *cell;
          cell += 3;
        }
        result.pixels.push_back(static_cast<std::uint8_t>(value / sum));
      }
    }
  }
  return result;
}

}  // namespace dhyan
