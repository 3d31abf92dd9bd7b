#pragma once

#include "core/picture.h"
#include "phrasebook/scene_captions.h"
#include "phrasebook/scene_drawing.h"

namespace dhyan::picturebook {

// A scene and its caption to learn; draw(scene) is the picture.
struct Example {
  Scene scene;
  Caption caption;
};

// Example `number` of a part of the book: a pure function, with fresh scenes for any 64-bit number.
Example example(Language language, Part part, std::uint64_t number, std::uint64_t seed = 0);

}  // namespace dhyan::picturebook
