#include "ops/pixels.h"

#include "core/error.h"
#include "kernels/elementwise/bytes.h"

namespace dhyan {

Var pixels(Scope& scope, std::span<const std::uint8_t> bytes, Index channels) {
  if (channels < 1 || std::ssize(bytes) % channels != 0) {
    throw ShapeError(cat("pixels: ", bytes.size(), " bytes, expected cells of ", channels, " channels"));
  }
  const Tensor x = scope.tensor({std::ssize(bytes) / channels, channels});  // [cells,channels]
  kernels::scale_bytes(bytes, 127, Real(1) / 128, x.span());
  return scope.constant(x);
}

}  // namespace dhyan
