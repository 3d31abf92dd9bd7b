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

// Whether nothing overlaps, and every pair has a margin to the diagonal and to 60 degrees.
bool is_clear(std::span<const Object> objects);

// The objects in reading order, with what no caption names: tints, ground, noise.
Scene finished_scene(Rng& rng, std::vector<Object> objects);

}  // namespace dhyan::picturebook
