#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "text/corpus_part.h"

namespace dhyan::picturebook {

// The properties of objects in the picture book; scene_words.cpp has the words for them.
enum class Figure { kCircle, kSquare, kTriangle, kStar, kHeart, kMoon, kKite, kDrop };
enum class Colour { kRed, kOrange, kYellow, kGreen, kBlue, kPurple, kWhite, kBlack };
enum class Size { kSmall, kLarge };
enum class Relation { kLeftOf, kRightOf, kAbove, kBelow };
inline constexpr int kFigures = 8, kColours = 8, kSizes = 2, kRelations = 4;

// Lengths of a scene are whole numbers of 1/256 pixel and angles of 1/256 turn: a scene is the same on every machine.
inline constexpr int kPixel = 256;
inline constexpr int kTurn = 256;
inline constexpr int kSide = 64;  // pixels of a picture's height and width
inline constexpr int kMostObjects = 3;

struct Object {
  Figure figure = Figure::kCircle;
  Colour colour = Colour::kRed;
  Size size = Size::kSmall;
  int x = 0, y = 0;  // the centre; y grows downwards
  int radius = 0;
  int tilt = 0;                       // clockwise
  std::array<std::int8_t, 3> tint{};  // added to the colour's red, green and blue

  bool operator==(const Object&) const = default;
};

// The background: a gradient from one soft colour to another in some direction.
struct Ground {
  int first = 0, second = 0;  // numbers in the table of soft colours
  int direction = 0;          // towards the second colour; in 1/256 turn, clockwise from the right

  bool operator==(const Ground&) const = default;
};

// One to three objects in reading order, which is the order of x + y: an object to the left of or above another one
// stands before it. They do not overlap, and no two of them have the same figure and colour.
struct Scene {
  std::vector<Object> objects = {};
  Ground ground = {};
  int grain = 0;            // the largest value of the noise
  std::uint64_t noise = 0;  // its key

  bool operator==(const Scene&) const = default;
};

// Scene `number` of a part of the book with this seed: a pure function, with fresh scenes for any 64-bit number. One to
// three objects, equally often. The arrangement (figures, colours, sizes, and centres to 8 pixels) decides the part, so
// scenes of different parts never coincide. Train and dev have no held-out pair; every fourth scene of test has one.
Scene scene(std::uint64_t number, Part part, std::uint64_t seed = 0);

// Pairs of colour and figure that occur in test only: one for each colour, one for each figure.
bool is_held_out(Colour colour, Figure figure);
bool has_held_out_pair(const Scene& scene);

// Whether a is left of, right of, above or below b: the line from b to a is within 60 degrees of that direction. Two
// relations hold for objects that stand diagonally.
bool holds(Relation relation, const Object& a, const Object& b);

// The main relation: that within 45 degrees. Scenes have no pair near the diagonal, where a pixel would decide, nor
// near 60 degrees.
Relation main_relation(const Object& a, const Object& b);

}  // namespace dhyan::picturebook
