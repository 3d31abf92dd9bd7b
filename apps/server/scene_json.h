#pragma once

#include "phrasebook/scene.h"
#include "server/call.h"

namespace dhyan::server {

// A scene of the picture book as a list of objects: [{"figure": "circle", "colour": "red", "size": "large", "x": 20,
// "y": 30}], with centres in pixels.
JsonAnswer scene_json(const picturebook::Scene& scene);

// The scene of such a list; BadRequest, naming "scene", for anything else.
picturebook::Scene scene_from_json(const nlohmann::json& objects);

// The names that figures, colours and sizes have in it.
JsonAnswer scene_words_json();

}  // namespace dhyan::server
