#include "phrasebook/picturebook.h"

#include <utility>

namespace dhyan::picturebook {

Example example(Language language, Part part, std::uint64_t number, std::uint64_t seed) {
  Scene drawn = scene(number, part, seed);
  Caption words = caption(drawn, language);
  return {std::move(drawn), std::move(words)};
}

}  // namespace dhyan::picturebook
