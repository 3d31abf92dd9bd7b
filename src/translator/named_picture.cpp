#include "translator/named_picture.h"

#include <algorithm>
#include <span>

#include "phrasebook/scene_order.h"
#include "vision/resize.h"

namespace dhyan {

namespace {

constexpr Index kLongestShown = 1024;

}  // namespace

NamedPicture picture_of_scene(const std::string& description) {
  return {.name = description, .scene = picturebook::scene_to_order(description)};
}

Picture load_picture(const NamedPicture& picture, const DecodeOptions& options) {
  if (picture.scene) return picturebook::draw(*picture.scene);
  if (picture.bytes.empty()) return read_picture(picture.file, options);
  return decode_picture(std::as_bytes(std::span(picture.bytes)), picture.name, options);
}

Picture picture_to_show(const NamedPicture& picture) {
  Picture loaded = load_picture(picture, {.wanted_height = kLongestShown, .wanted_width = kLongestShown});
  const Index side = std::max(loaded.height, loaded.width);
  if (side <= kLongestShown) return loaded;
  return resize(loaded, std::max<Index>(1, loaded.height * kLongestShown / side),
                std::max<Index>(1, loaded.width * kLongestShown / side));
}

}  // namespace dhyan
