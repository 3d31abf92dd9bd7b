#pragma once

#include <array>
#include <cstdint>

#include "core/picture.h"
#include "phrasebook/scene.h"

namespace dhyan::picturebook {

inline constexpr int kSoftColours = 8;  // number of background colours

// How much of each pixel an object covers, 0 to 255.
using Coverage = std::array<std::uint8_t, kSide * kSide>;  // [H,W]
Coverage coverage(const Object& object);

// The scene as 64 x 64 pixels, the same bytes on every machine because all arithmetic is in integers.
Picture draw(const Scene& scene);

}  // namespace dhyan::picturebook
