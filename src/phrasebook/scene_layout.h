#pragma once

#include <span>

#include "core/rng.h"
#include "phrasebook/scene.h"

namespace dhyan::picturebook {

// low..high
int between(Rng& rng, int low, int high);

// Draws a centre, a radius and a tilt for each object; its figure and size are given. Radii::kLeast takes the smallest
// radius of each size.
enum class Radii { kAny, kLeast };
void place_anywhere(Rng& rng, std::span<Object> objects, Radii radii = Radii::kAny);

int middle_radius(Size size);

// Whether no objects overlap, and every pair has a margin to the diagonal and to 60 degrees.
bool is_clear(std::span<const Object> objects);

// A scene of the objects in reading order, with random tints, background and noise, which captions do not mention.
Scene finished_scene(Rng& rng, std::vector<Object> objects);

}  // namespace dhyan::picturebook
