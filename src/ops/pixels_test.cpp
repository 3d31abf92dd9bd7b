#include "ops/pixels.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

TEST(Pixels, AreCentredAndScaled) {
  Arena arena;
  Scope scope(arena);
  const std::vector<std::uint8_t> bytes{0, 127, 255, 191, 63, 126};
  const Var x = pixels(scope, bytes);
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
  EXPECT_EQ(values(x), (std::vector<Real>{-127.0 / 128, 0, 1, 0.5, -0.5, -1.0 / 128}));
  EXPECT_EQ(pixels(scope, {}).shape(), (Shape{0, 3}));
}

TEST(Pixels, RefuseAPartOfACell) {
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(thrown<ShapeError>([&] { pixels(scope, std::vector<std::uint8_t>(4)); }),
            "pixels: 4 bytes, expected cells of 3 channels");
}

}  // namespace
}  // namespace dhyan
