#pragma once

#include "core/picture.h"

namespace dhyan {

// Resizes a picture. An axis that shrinks is averaged: a new pixel is the mean of the area it covers. An axis that
// grows is interpolated between the centres of the two nearest pixels. Weights are integers and each value is
// rounded once, so the result is the same on every machine.
Picture resize(const Picture& picture, Index height, Index width);

}  // namespace dhyan
