#pragma once

#include "vision/read_picture.h"

namespace dhyan {

// The bytes of a picture file, its name for messages, and the wanted size.
struct PictureFile {
  std::span<const std::byte> bytes;
  std::string_view name;
  const DecodeOptions& options;
};

// One pair of functions for each format: whether the bytes begin like this format, and the upright picture.
bool is_jpeg(std::span<const std::byte> bytes);
bool is_png(std::span<const std::byte> bytes);
bool is_webp(std::span<const std::byte> bytes);
Picture decode_jpeg(const PictureFile& file);
Picture decode_png(const PictureFile& file);
Picture decode_webp(const PictureFile& file);

// Throws PictureError unless a header's size is one that may be allocated.
void expect_picture_size(const PictureFile& file, Index height, Index width);

bool begins_with(std::span<const std::byte> bytes, std::string_view magic);

}  // namespace dhyan
