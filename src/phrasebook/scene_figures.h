#pragma once

#include <vector>

#include "phrasebook/scene.h"

namespace dhyan::picturebook {

// sin and cos of an angle in 1/256 turn, times 1 << 14: from a table, so that no libm decides a pixel.
int sine(int angle);
inline int cosine(int angle) { return sine(angle + kTurn / 4); }

// A corner of an outline; in 1/4096 of an object's radius in tables, in 1/256 pixel in pictures.
struct Point {
  int x, y;
};

// An object's outline in the picture.
std::vector<Point> outline(const Object& object);
inline constexpr int kMostCorners = 38;

// The largest distance of a point of the object from its centre, in 1/256 pixel.
int reach(Figure figure, int radius);

// The largest tilt that keeps the figure recognisable, in 1/256 turn.
int most_tilt(Figure figure);

}  // namespace dhyan::picturebook
