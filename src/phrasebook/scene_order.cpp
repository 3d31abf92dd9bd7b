#include "phrasebook/scene_order.h"

#include <algorithm>

#include "core/error.h"
#include "phrasebook/scene_claims.h"
#include "phrasebook/scene_layout.h"

namespace dhyan::picturebook {

namespace {

constexpr std::uint64_t kOrderKey = 0x6f72646572;  // "order"
// Enough attempts for all but three large objects in a row; those fit with the smallest radius of large objects.
constexpr int kTries = 20'000, kTriesOfLeast = 5'000'000;

bool has_relations(std::span<const Object> objects, const Claims& claims) {
  for (std::size_t i = 1; i < objects.size(); ++i) {
    if (main_relation(objects.front(), objects[i]) != claims.relations[i - 1].relation) return false;
  }
  return true;
}

std::vector<Object> objects_of(const Claims& claims) {
  std::vector<Object> objects;
  for (const ObjectClaim& claim : claims.objects) {
    for (const Object& other : objects) {
      if (other.figure == claim.figure && other.colour == claim.colour) {
        throw UsageError(cat("scene: two objects are ", name_of(claim.colour).english, ' ',
                             name_of(claim.figure).english, "s; they must differ in colour or figure"));
      }
    }
    objects.push_back({.figure = claim.figure, .colour = claim.colour, .size = claim.size.value_or(Size::kLarge)});
  }
  return objects;
}

}  // namespace

Scene scene_to_order(std::string_view description, std::uint64_t seed) {
  const ParsedCaption parsed = parse_caption(description, Articles::kOptional);
  if (!parsed.claims) throw UsageError(cat("scene: '", description, "': ", parsed.problem));
  std::vector<Object> objects = objects_of(*parsed.claims);
  Rng rng(kOrderKey, seed);
  for (int i = 0; i < kTries + kTriesOfLeast; ++i) {
    place_anywhere(rng, objects, i < kTries ? Radii::kAny : Radii::kLeast);
    if (is_clear(objects) && has_relations(objects, *parsed.claims)) return finished_scene(rng, std::move(objects));
  }
  throw UsageError(cat("scene: '", description, "': the picture has no room for it; try small objects"));
}

Scene placed_scene(std::vector<Object> objects) {
  for (Object& object : objects) object.radius = middle_radius(object.size);
  std::ranges::sort(objects, {}, [](const Object& object) { return object.x + object.y; });
  return {.objects = std::move(objects)};
}

}  // namespace dhyan::picturebook
