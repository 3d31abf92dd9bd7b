#pragma once

#include "core/picture.h"

namespace dhyan {

// Whether a picture has pixels, with three values each.
inline bool is_whole(const Picture& picture) {
  return picture.height >= 1 && picture.width >= 1 &&
         static_cast<Index>(picture.pixels.size()) == picture.height * picture.width * 3;
}

}  // namespace dhyan
