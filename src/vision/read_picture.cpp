#include "vision/read_picture.h"

#include <algorithm>

#include "core/file.h"
#include "core/number_text.h"
#include "vision/picture_files/formats.h"

namespace dhyan {

namespace {

struct PictureFormat {
  bool (*has)(std::span<const std::byte> bytes);
  Picture (*decode)(const PictureFile& file);
};

constexpr PictureFormat kPictureFormats[] = {
    {is_jpeg, decode_jpeg},
    {is_png, decode_png},
    {is_webp, decode_webp},
};

}  // namespace

void expect_picture_size(const PictureFile& file, Index height, Index width) {
  if (height >= 1 && width >= 1 && width <= file.options.max_pixels / height) return;
  throw PictureError(cat(file.name, ": the picture has ", width, " x ", height, " pixels; expected 1 to ",
                         grouped(static_cast<std::uint64_t>(file.options.max_pixels)), " in all"));
}

bool begins_with(std::span<const std::byte> bytes, std::string_view magic) {
  const auto start = std::as_bytes(std::span(magic));
  return bytes.size() >= start.size() && std::ranges::equal(bytes.first(start.size()), start);
}

Picture decode_picture(std::span<const std::byte> bytes, std::string_view name, const DecodeOptions& options) {
  if (bytes.size() > kMaxPictureBytes) {
    throw PictureError(
        cat(name, ": the file has ", grouped(bytes.size()), " bytes; expected at most ", grouped(kMaxPictureBytes)));
  }
  const auto format = std::ranges::find_if(kPictureFormats, [&](const PictureFormat& f) { return f.has(bytes); });
  if (format == std::end(kPictureFormats)) {
    throw PictureError(cat(name, bytes.empty() ? ": the file is empty" : ": the file is no JPEG, PNG or WebP"));
  }
  return format->decode({bytes, name, options});
}

Picture read_picture(const std::filesystem::path& path, const DecodeOptions& options) {
  const MappedFile file(path);
  Picture picture = decode_picture(file.bytes(), path.string(), options);
  file.expect_unchanged();
  return picture;
}

}  // namespace dhyan
