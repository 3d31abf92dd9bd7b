#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "phrasebook/scene.h"

namespace dhyan::picturebook {

// A scene from a description: "small red circle above large blue square", "बड़े नीले वर्ग के ऊपर एक छोटा लाल वृत्त". The
// description is a caption; English needs no articles, and objects without a size are large. The relations it names are
// the main ones. The same text and seed give the same scene; another seed places the objects elsewhere. UsageError,
// with the words it knows, for any other text.
Scene scene_to_order(std::string_view description, std::uint64_t seed = 0);

// Objects where somebody put them, given by figure, colour, size and centre: upright, of a middling radius, on a plain
// ground. They may overlap, and stand partly outside.
Scene placed_scene(std::vector<Object> objects);

}  // namespace dhyan::picturebook
