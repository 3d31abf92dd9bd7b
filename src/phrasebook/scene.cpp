#include "phrasebook/scene.h"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "core/rng.h"
#include "phrasebook/scene_layout.h"

namespace dhyan::picturebook {

namespace {

constexpr std::uint64_t kBookKey = 0x70696374757265;  // "picture"

// In the order of Colour.
constexpr std::array<Figure, kColours> kHeldOutFigures{Figure::kMoon,   Figure::kDrop,     Figure::kSquare,
                                                       Figure::kKite,   Figure::kTriangle, Figure::kStar,
                                                       Figure::kCircle, Figure::kHeart};

enum class HeldOut { kNone, kOne };

// Draws a figure and a colour that no other object has.
void draw_kind(Rng& rng, std::span<const Object> others, HeldOut held_out, Object& object) {
  const auto is_taken = [&](const Object& other) {
    return other.figure == object.figure && other.colour == object.colour;
  };
  do {
    object.colour = static_cast<Colour>(between(rng, 0, kColours - 1));
    object.figure = static_cast<Figure>(between(rng, 0, kFigures - 1));
  } while (is_held_out(object.colour, object.figure) != (held_out == HeldOut::kOne) ||
           std::ranges::any_of(others, is_taken));
}

std::vector<Object> draw_objects(Rng& rng, std::size_t count, HeldOut held_out) {
  std::vector<Object> objects(count);
  for (std::size_t i = 0; i < count; ++i) {
    draw_kind(rng, std::span(objects).first(i), i == 0 ? held_out : HeldOut::kNone, objects[i]);
    objects[i].size = static_cast<Size>(between(rng, 0, kSizes - 1));
  }
  do place_anywhere(rng, objects);
  while (!is_clear(objects));
  return objects;
}

// The part of the book that an arrangement of objects (in reading order) belongs to; eight tenths are train.
Part part_of(std::span<const Object> objects) {
  Rng hash(kBookKey);
  for (const Object& object : objects) {
    const auto kind =
        (static_cast<unsigned>(object.figure) * kColours + static_cast<unsigned>(object.colour)) * kSizes +
        static_cast<unsigned>(object.size);
    const auto cell = [](int length) { return static_cast<unsigned>(length / (8 * kPixel)); };
    hash = hash.split(kind << 16 | cell(object.x) << 8 | cell(object.y));
  }
  const int bucket = between(hash, 0, 9);
  return bucket == 0 ? Part::kDev : bucket == 1 ? Part::kTest : Part::kTrain;
}

}  // namespace

bool is_held_out(Colour colour, Figure figure) { return kHeldOutFigures[static_cast<std::size_t>(colour)] == figure; }

bool has_held_out_pair(const Scene& scene) {
  return std::ranges::any_of(scene.objects, [](const Object& o) { return is_held_out(o.colour, o.figure); });
}

Scene scene(std::uint64_t number, Part part, std::uint64_t seed) {
  Rng rng = Rng(kBookKey, seed).split(static_cast<std::uint64_t>(part)).split(number);
  const HeldOut held_out = part == Part::kTest && number % 4 == 3 ? HeldOut::kOne : HeldOut::kNone;
  const auto count = static_cast<std::size_t>(between(rng, 1, kMostObjects));
  while (true) {
    Scene drawn = finished_scene(rng, draw_objects(rng, count, held_out));
    if (part_of(drawn.objects) == part) return drawn;
  }
}

bool holds(Relation relation, const Object& a, const Object& b) {
  const int dx = a.x - b.x, dy = a.y - b.y;
  const auto points_along = [](std::int64_t along, std::int64_t across) {
    return along > 0 && 3 * along * along >= across * across;
  };
  switch (relation) {
    case Relation::kLeftOf:
      return points_along(-dx, dy);
    case Relation::kRightOf:
      return points_along(dx, dy);
    case Relation::kAbove:
      return points_along(-dy, dx);
    case Relation::kBelow:
      break;
  }
  return points_along(dy, dx);
}

Relation main_relation(const Object& a, const Object& b) {
  const int dx = a.x - b.x, dy = a.y - b.y;
  if (std::abs(dx) > std::abs(dy)) return dx < 0 ? Relation::kLeftOf : Relation::kRightOf;
  return dy < 0 ? Relation::kAbove : Relation::kBelow;
}

}  // namespace dhyan::picturebook
