#pragma once

#include <cstdint>
#include <string_view>

#include "phrasebook/scene.h"

namespace dhyan::picturebook {

// A scene to order: "small red circle above large blue square", "बड़े नीले वर्ग के ऊपर एक छोटा लाल वृत्त". A caption, in
// English also without articles; objects without a size are large. The relations it names are the main ones. The same
// text and seed give the same scene; another seed places the objects elsewhere. UsageError, with the words it knows,
// for any other text.
Scene scene_to_order(std::string_view description, std::uint64_t seed = 0);

}  // namespace dhyan::picturebook
