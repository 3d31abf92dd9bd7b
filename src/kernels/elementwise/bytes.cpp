#include "kernels/elementwise/bytes.h"

namespace dhyan::kernels {

void scale_bytes(std::span<const std::uint8_t> x, Real offset, Real factor, std::span<Real> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = (static_cast<Real>(x[i]) - offset) * factor;
}

}  // namespace dhyan::kernels
