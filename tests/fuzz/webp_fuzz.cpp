// libFuzzer: a WebP throws PictureError or is decoded.
#include <cstddef>
#include <cstdint>

#include "decoded_picture.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dhyan::fuzz_picture(std::as_bytes(std::span(data, size)));
  return 0;
}
