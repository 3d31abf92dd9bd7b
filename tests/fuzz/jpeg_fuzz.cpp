// libFuzzer: a JPEG throws PictureError or is decoded, at full size and scaled. The first two bytes are the wanted
// size.
#include <cstddef>
#include <cstdint>

#include "decoded_picture.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const dhyan::DecodeOptions options{.wanted_height = data[0], .wanted_width = data[1], .max_pixels = 1 << 18};
  dhyan::fuzz_picture(std::as_bytes(std::span(data + 2, size - 2)), options);
  return 0;
}
