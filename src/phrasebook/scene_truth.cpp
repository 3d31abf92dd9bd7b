#include "phrasebook/scene_truth.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/pluralize.h"
#include "phrasebook/scene_claims.h"

namespace dhyan::picturebook {

namespace {

bool fits(const ObjectClaim& claim, const Object& object) {
  return (!claim.size || *claim.size == object.size) && claim.colour == object.colour && claim.figure == object.figure;
}

// "small red circle"
std::string described(const ObjectClaim& claim) {
  const std::string size = claim.size ? cat(name_of(*claim.size).english, ' ') : "";
  return cat(size, name_of(claim.colour).english, ' ', name_of(claim.figure).english);
}

// Maps the objects of the caption to objects of the scene; nullopt if they do not fit. No two objects of a scene have
// the same figure and colour, so that at most one object fits a claim.
std::optional<std::vector<std::size_t>> matched(const Scene& scene, const Claims& claims, std::string& reason) {
  std::vector<std::size_t> numbers;
  for (const ObjectClaim& claim : claims.objects) {
    const auto found = std::ranges::find_if(scene.objects, [&](const Object& object) { return fits(claim, object); });
    const auto number = static_cast<std::size_t>(found - scene.objects.begin());
    if (found == scene.objects.end()) {
      reason = cat("the scene has no ", described(claim));
      return std::nullopt;
    }
    if (std::ranges::find(numbers, number) != numbers.end()) {
      reason = cat("the ", described(claim), " is named twice");
      return std::nullopt;
    }
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<ObjectSet> objects_of_words(const Claims& claims, const std::vector<std::size_t>& numbers) {
  const auto only = [](std::size_t number) { return static_cast<ObjectSet>(1u << number); };
  std::vector<ObjectSet> objects(claims.words);
  for (std::size_t i = 0; i < claims.objects.size(); ++i) {
    for (const std::size_t word : claims.objects[i].words) objects[word] = only(numbers[i]);
    if (i > 0) objects[claims.relations[i - 1].word] = only(numbers[0]) | only(numbers[i]);
  }
  return objects;
}

}  // namespace

Verdict judge(const Scene& scene, std::string_view caption) {
  const ParsedCaption parsed = parse_caption(caption);
  if (!parsed.claims) return {.fault = Fault::kGrammar, .reason = parsed.problem};
  const Claims& claims = *parsed.claims;
  if (claims.objects.size() != scene.objects.size()) {
    return {.fault = Fault::kCount,
            .reason = cat("the caption names ", pluralize(claims.objects.size(), "object"), ", the scene has ",
                          scene.objects.size())};
  }
  std::string reason;
  const auto numbers = matched(scene, claims, reason);
  if (!numbers) return {.fault = Fault::kObject, .reason = reason};
  for (std::size_t i = 1; i < claims.objects.size(); ++i) {
    const Relation relation = claims.relations[i - 1].relation;
    if (holds(relation, scene.objects[numbers->front()], scene.objects[(*numbers)[i]])) continue;
    return {.fault = Fault::kRelation,
            .reason = cat("the ", described(claims.objects.front()), " is not ", name_of(relation).english, " the ",
                          described(claims.objects[i]))};
  }
  return {.objects = objects_of_words(claims, *numbers)};
}

}  // namespace dhyan::picturebook
