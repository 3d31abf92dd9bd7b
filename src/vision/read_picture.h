#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "core/picture.h"
#include "vision/picture_error.h"

namespace dhyan {

// Pictures are untrusted: the size in a header is checked before memory is allocated for it.
inline constexpr Index kMaxPicturePixels = 40'000'000;
inline constexpr std::size_t kMaxPictureBytes = 20'000'000;  // of a file

struct DecodeOptions {
  // A JPEG may be decoded at a half, a quarter or an eighth of its size, as long as it stays at least this high and
  // wide; 0: at its full size. Other formats are always decoded at their full size.
  Index wanted_height = 0;
  Index wanted_width = 0;
  Index max_pixels = kMaxPicturePixels;
};

// Decodes JPEG, PNG or WebP, recognised by the first bytes. The picture is turned upright by its EXIF orientation;
// alpha is blended with white; an animation gives its first frame. Throws PictureError, which begins with `name`, if
// the bytes are damaged or truncated.
Picture decode_picture(std::span<const std::byte> bytes, std::string_view name, const DecodeOptions& options = {});

// Throws IoError if the file cannot be read.
Picture read_picture(const std::filesystem::path& path, const DecodeOptions& options = {});

}  // namespace dhyan
