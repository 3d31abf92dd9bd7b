// libFuzzer: EXIF data gives an orientation from 1 to 8, which keeps all pixels of a picture.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "vision/picture_files/exif.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const int orientation = exif_orientation(std::as_bytes(std::span(data, size)));
  if (orientation < 1 || orientation > 8) std::abort();
  const Picture picture = upright({1, 2, {1, 2, 3, 4, 5, 6}}, orientation);
  if (picture.height * picture.width != 2 || picture.pixels.size() != 6) std::abort();
  return 0;
}
