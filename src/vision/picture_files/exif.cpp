#include "vision/picture_files/exif.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vision/picture_files/formats.h"

namespace dhyan {

namespace {

// Numbers of a TIFF file, in its byte order; nullopt beyond its end.
class TiffNumbers {
 public:
  TiffNumbers(std::span<const std::byte> bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}

  std::optional<std::uint32_t> at(std::size_t offset, std::size_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return std::nullopt;
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const auto byte = std::to_integer<std::uint32_t>(bytes_[offset + i]);
      number |= byte << (8 * (big_endian_ ? size - 1 - i : i));
    }
    return number;
  }

 private:
  std::span<const std::byte> bytes_;
  bool big_endian_;
};

}  // namespace

int exif_orientation(std::span<const std::byte> exif) {
  using namespace std::string_view_literals;
  constexpr std::string_view kPrefix = "Exif\0\0"sv;
  constexpr std::size_t kEntry = 12;  // bytes: tag, type, count, value
  constexpr std::uint32_t kOrientation = 0x0112, kShort = 3;
  if (begins_with(exif, kPrefix)) exif = exif.subspan(kPrefix.size());
  const bool big_endian = begins_with(exif, "MM\0*"sv);
  if (!big_endian && !begins_with(exif, "II*\0"sv)) return 1;

  const TiffNumbers numbers(exif, big_endian);
  const std::size_t directory = numbers.at(4, 4).value_or(0);
  const std::size_t entries = numbers.at(directory, 2).value_or(0);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + i * kEntry;
    if (numbers.at(entry, 2) != kOrientation) continue;
    const std::uint32_t value = numbers.at(entry + 8, 2).value_or(1);
    return numbers.at(entry + 2, 2) == kShort && value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Picture upright(Picture stored, int orientation) {
  if (orientation == 1) return stored;
  const bool turned = is_turned(orientation);
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  Picture picture{turned ? stored.width : stored.height, turned ? stored.height : stored.width, {}};
  picture.pixels.resize(stored.pixels.size());
  auto to = picture.pixels.begin();
  for (Index y = 0; y < picture.height; ++y) {
    for (Index x = 0; x < picture.width; ++x) {
      const Index row = turned ? x : y, column = turned ? y : x;
      const Index from_row = from_below ? stored.height - 1 - row : row;
      const Index from_column = from_right ? stored.width - 1 - column : column;
      to = std::copy_n(stored.pixels.begin() + (from_row * stored.width + from_column) * 3, 3, to);
    }
  }
  return picture;
}

}  // namespace dhyan
