#include "translator/scene_pictures.h"

#include <algorithm>

#include "vision/resize.h"

namespace dhyan {

void copy_pixels(const Picture& picture, const PictureFormat& format, std::span<std::byte> to) {
  const auto copy = [&](const Picture& sized) { std::ranges::copy(std::as_bytes(std::span(sized.pixels)), to.data()); };
  if (picture.height == format.size.height && picture.width == format.size.width) return copy(picture);
  copy(resize(picture, format.size.height, format.size.width));
}

void ScenePictures::read(TokenId number, std::span<std::byte> to) const {
  copy_pixels(picturebook::draw(picturebook::scene(static_cast<std::uint64_t>(number), part_)), format_, to);
}

}  // namespace dhyan
