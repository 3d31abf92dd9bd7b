#include "models/encoder.h"

namespace dhyan {

Segments annotation_segments(const Encoder& encoder, const Segments& source) {
  const Index cells = encoder.pictures().grid.cells();
  if (cells == 0) return source;
  return Segments::from_lengths(std::vector<Index>(static_cast<std::size_t>(source.count()), cells));
}

}  // namespace dhyan
