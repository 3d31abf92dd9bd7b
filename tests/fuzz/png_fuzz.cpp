// libFuzzer: a PNG throws PictureError or is decoded, as it is and with the checksums of its chunks put right: libpng
// looks no further than a wrong one.
#include <cstddef>
#include <cstdint>
#include <vector>
#include <zlib.h>

#include "decoded_picture.h"

namespace {

std::size_t number_at(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | bytes[at + i];
  return number;
}

// A chunk is its length, its kind, its data and the checksum of kind and data.
void put_checksums_right(std::vector<std::uint8_t>& bytes) {
  for (std::size_t at = 8; bytes.size() >= at + 12;) {
    const std::size_t length = number_at(bytes, at);
    if (length > bytes.size() - at - 12) return;
    const std::size_t checksum = ::crc32(0, bytes.data() + at + 4, static_cast<uInt>(length + 4));
    at += length + 8;
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(checksum >> (24 - 8 * i));
    at += 4;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> bytes(data, data + size);
  dhyan::fuzz_picture(std::as_bytes(std::span(bytes)));
  put_checksums_right(bytes);
  dhyan::fuzz_picture(std::as_bytes(std::span(bytes)));
  return 0;
}
