#include "server/scene_json.h"

#include <nlohmann/json.hpp>

#include "phrasebook/scene_order.h"
#include "phrasebook/scene_words.h"
#include "server/bad_request.h"
#include "server/known_names.h"

namespace dhyan::server {

namespace {

namespace book = picturebook;

template <class Kind>
std::string english(Kind kind) {
  return std::string(name_of(kind).english);
}

template <class Kind>
JsonAnswer names_of(int count) {
  JsonAnswer names = JsonAnswer::array();
  for (int i = 0; i < count; ++i) names.push_back(english(static_cast<Kind>(i)));
  return names;
}

// The entry of an enum that has this English name.
template <class Kind>
Kind kind_called(const nlohmann::json& object, const char* key, int count) {
  const auto given = object.find(key);
  for (int i = 0; given != object.end() && i < count; ++i) {
    if (*given == english(static_cast<Kind>(i))) return static_cast<Kind>(i);
  }
  throw BadRequest(cat("scene: ", key, " is ", given == object.end() ? "missing" : given->dump(), ", expected one of ",
                       json_text(names_of<Kind>(count))),
                   "scene");
}

int length_of(const nlohmann::json& object, const char* key) {
  const auto given = object.find(key);
  const bool fits =
      given != object.end() && given->is_number() && given->get<double>() >= 0 && given->get<double>() <= book::kSide;
  if (!fits) throw BadRequest(cat("scene: ", key, " is not a number from 0 to ", book::kSide), "scene");
  return static_cast<int>(given->get<double>() * book::kPixel);
}

}  // namespace

JsonAnswer scene_json(const picturebook::Scene& scene) {
  JsonAnswer objects = JsonAnswer::array();
  for (const book::Object& object : scene.objects) {
    objects.push_back({{"figure", english(object.figure)},
                       {"colour", english(object.colour)},
                       {"size", english(object.size)},
                       {"x", (object.x + book::kPixel / 2) / book::kPixel},
                       {"y", (object.y + book::kPixel / 2) / book::kPixel}});
  }
  return objects;
}

picturebook::Scene scene_from_json(const nlohmann::json& objects) {
  if (objects.empty() || objects.size() > std::size_t{book::kMostObjects}) {
    throw BadRequest(cat("scene has ", objects.size(), " objects, expected 1 to ", book::kMostObjects), "scene");
  }
  std::vector<book::Object> placed;
  for (const nlohmann::json& object : objects) {
    if (!object.is_object()) throw BadRequest("scene has something that is not an object", "scene");
    expect_known_fields("scene", object, {"figure", "colour", "size", "x", "y"});
    placed.push_back({.figure = kind_called<book::Figure>(object, "figure", book::kFigures),
                      .colour = kind_called<book::Colour>(object, "colour", book::kColours),
                      .size = kind_called<book::Size>(object, "size", book::kSizes),
                      .x = length_of(object, "x"),
                      .y = length_of(object, "y")});
  }
  return book::placed_scene(std::move(placed));
}

JsonAnswer scene_words_json() {
  return {{"figures", names_of<book::Figure>(book::kFigures)},
          {"colours", names_of<book::Colour>(book::kColours)},
          {"sizes", names_of<book::Size>(book::kSizes)}};
}

}  // namespace dhyan::server
