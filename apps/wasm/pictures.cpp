// Instead of the libraries of picture formats: a page without a server has no model of pictures.
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "vision/picture_error.h"
#include "vision/picture_files/formats.h"
#include "vision/write_picture.h"

namespace dhyan {

namespace {

[[noreturn]] void refuse(std::string_view what) {
  throw PictureError(cat(what, ": a page without a server reads and writes no pictures; dhyan serve does"));
}

}  // namespace

bool is_jpeg(std::span<const std::byte>) { return false; }
bool is_png(std::span<const std::byte>) { return false; }
bool is_webp(std::span<const std::byte>) { return false; }
Picture decode_jpeg(const PictureFile& file) { refuse(file.name); }
Picture decode_png(const PictureFile& file) { refuse(file.name); }
Picture decode_webp(const PictureFile& file) { refuse(file.name); }
std::string to_png_bytes(const Picture&) { refuse("PNG"); }
std::string to_png_bytes(const Picture&, std::span<const std::uint8_t>) { refuse("PNG"); }
std::string to_jpeg_bytes(const Picture&, int) { refuse("JPEG"); }

}  // namespace dhyan
