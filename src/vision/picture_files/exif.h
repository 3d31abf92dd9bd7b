#pragma once

#include <cstddef>
#include <span>

#include "core/picture.h"

namespace dhyan {

// How a camera was held, as EXIF has it: 1 is upright, 2 to 8 are mirrored or turned. 1 for broken or foreign data: a
// picture can be shown without it. `exif` is a TIFF header and what follows it, also with "Exif\0\0" before it.
int exif_orientation(std::span<const std::byte> exif);

// Whether height and width of the upright picture are width and height of the stored one.
inline bool is_turned(int orientation) { return orientation >= 5; }

// The upright picture of a stored one.
Picture upright(Picture stored, int orientation);

}  // namespace dhyan
