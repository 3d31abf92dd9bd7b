#pragma once

#include "explain/picture_maps.h"

namespace dhyan {

// For tests: a bright picture of 60 x 40 pixels over a grid of 2 x 3, and three words.
inline PictureMaps example_picture() {
  PictureMaps maps;
  maps.name = "photo.jpg";
  maps.picture = {40, 60, std::vector<std::uint8_t>(40 * 60 * 3, 200)};
  maps.caption = "a dog <runs>";
  maps.log_probability = -0.25;
  maps.rows = 2;
  maps.columns = 3;
  maps.words = {{"a", {.125, .125, .25, .25, .125, .125}},
                {"dog", {0, .0625, .0625, .125, .75, 0}},
                {"<runs>", {1, 0, 0, 0, 0, 0}}};
  return maps;
}

}  // namespace dhyan
