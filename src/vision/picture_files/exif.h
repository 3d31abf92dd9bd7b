#pragma once

#include <cstddef>
#include <span>

#include "core/picture.h"

namespace dhyan {

// The orientation in EXIF data: 1 is upright, 2 to 8 are mirrored or rotated. 1 for damaged or foreign data: a picture
// can be shown without it. `exif` begins with a TIFF header, or with "Exif\0\0" before it.
int exif_orientation(std::span<const std::byte> exif);

// Whether the upright picture has the height and width of the stored one swapped.
inline bool is_turned(int orientation) { return orientation >= 5; }

// The upright picture of a stored one.
Picture upright(Picture stored, int orientation);

}  // namespace dhyan
