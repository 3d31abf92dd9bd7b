#include "phrasebook/scene_layout.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "phrasebook/scene_drawing.h"
#include "phrasebook/scene_figures.h"

namespace dhyan::picturebook {

namespace {

struct Range {
  int low, high;
};

// In the order of Size. No object has a radius between small and large.
constexpr std::array<Range, kSizes> kRadii{Range{23 * kPixel / 4, 27 * kPixel / 4}, Range{9 * kPixel, 23 * kPixel / 2}};

constexpr int kMargin = kPixel;   // between an object and the edge
constexpr int kGap = 2 * kPixel;  // between two objects

bool are_apart(const Object& a, const Object& b) {
  const int distance = reach(a.figure, a.radius) + reach(b.figure, b.radius) + kGap;
  const int dx = a.x - b.x, dy = a.y - b.y;
  return dx * dx + dy * dy >= distance * distance;
}

// Up to 26.6 degrees from an axis one relation holds; from 33 to 38.7 degrees two hold, and one of them is the main
// one.
bool is_clear_direction(const Object& a, const Object& b) {
  const int dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
  const int longer = std::max(dx, dy), shorter = std::min(dx, dy);
  return 2 * shorter <= longer || (20 * shorter >= 13 * longer && 5 * shorter <= 4 * longer);
}

}  // namespace

int between(Rng& rng, int low, int high) {
  const auto span = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<int>(rng.next() * span >> 32);
}

int middle_radius(Size size) {
  const Range range = kRadii[static_cast<std::size_t>(size)];
  return (range.low + range.high) / 2;
}

void place_anywhere(Rng& rng, std::span<Object> objects, Radii radii) {
  for (Object& object : objects) {
    const Range range = kRadii[static_cast<std::size_t>(object.size)];
    object.radius = between(rng, range.low, radii == Radii::kLeast ? range.low : range.high);
    object.tilt = between(rng, -most_tilt(object.figure), most_tilt(object.figure));
    const int nearest = reach(object.figure, object.radius) + kMargin;
    object.x = between(rng, nearest, kSide * kPixel - nearest);
    object.y = between(rng, nearest, kSide * kPixel - nearest);
  }
}

bool is_clear(std::span<const Object> objects) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!are_apart(objects[i], objects[j]) || !is_clear_direction(objects[i], objects[j])) return false;
    }
  }
  return true;
}

Scene finished_scene(Rng& rng, std::vector<Object> objects) {
  constexpr int kMostTint = 12;
  std::ranges::sort(objects, {}, [](const Object& object) { return object.x + object.y; });
  for (Object& object : objects) {
    for (std::int8_t& channel : object.tint) channel = static_cast<std::int8_t>(between(rng, -kMostTint, kMostTint));
  }
  Scene scene;
  scene.objects = std::move(objects);
  scene.ground.first = between(rng, 0, kSoftColours - 1);
  scene.ground.second = between(rng, 0, kSoftColours - 1);
  scene.ground.direction = between(rng, 0, kTurn - 1);
  scene.grain = between(rng, 2, 8);
  const std::uint64_t low = rng.next(), high = rng.next();
  scene.noise = low | high << 32;
  return scene;
}

}  // namespace dhyan::picturebook
