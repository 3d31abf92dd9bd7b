#include "vision/picture_files/exif.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace dhyan {
namespace {

using namespace std::string_view_literals;

int orientation_in(std::string_view exif) { return exif_orientation(std::as_bytes(std::span(exif))); }

// A directory with another entry, then the orientation 6.
constexpr std::string_view kLittleEndian =
    "II*\0\x08\0\0\0\x02\0"
    "\x0F\x01\x02\0\x01\0\0\0\0\0\0\0"
    "\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"sv;
constexpr std::string_view kBigEndian =
    "MM\0*\0\0\0\x08\0\x02"
    "\x01\x0F\0\x02\0\0\0\x01\0\0\0\0"
    "\x01\x12\0\x03\0\0\0\x01\0\x06\0\0"sv;

TEST(Exif, OrientationIsReadInBothByteOrders) {
  EXPECT_EQ(orientation_in(kLittleEndian), 6);
  EXPECT_EQ(orientation_in(kBigEndian), 6);
  EXPECT_EQ(orientation_in(std::string("Exif\0\0"sv) + std::string(kBigEndian)), 6);
}

TEST(Exif, BrokenDataMeansUpright) {
  for (const std::string_view whole : {kLittleEndian, kBigEndian}) {
    for (std::size_t size = 0; size < whole.size() - 3; ++size) EXPECT_EQ(orientation_in(whole.substr(0, size)), 1);
  }
  EXPECT_EQ(orientation_in("II*\0\xFF\xFF\xFF\xFF\x02\0"sv), 1) << "a directory beyond the end";
  EXPECT_EQ(orientation_in("a text"), 1);
  for (const auto& [at, byte] : {std::pair{30, '\x09'}, std::pair{30, '\0'}, std::pair{24, '\x04'}}) {
    std::string changed(kLittleEndian);
    changed[static_cast<std::size_t>(at)] = byte;
    EXPECT_EQ(orientation_in(changed), 1) << "no such orientation, or another type";
  }
}

// Stored "ab/cd/ef" as it is shown, by the definition of each orientation.
TEST(Exif, PicturesAreMadeUpright) {
  const auto letters = [](Index height, Index width, std::string_view text) {
    Picture picture{height, width, {}};
    for (const char letter : text) picture.pixels.insert(picture.pixels.end(), 3, static_cast<std::uint8_t>(letter));
    return picture;
  };
  const Picture stored = letters(3, 2, "abcdef");
  EXPECT_EQ(upright(stored, 1), stored);
  EXPECT_EQ(upright(stored, 2), letters(3, 2, "badcfe")) << "mirrored left to right";
  EXPECT_EQ(upright(stored, 3), letters(3, 2, "fedcba")) << "half a turn";
  EXPECT_EQ(upright(stored, 4), letters(3, 2, "efcdab")) << "mirrored top to bottom";
  EXPECT_EQ(upright(stored, 5), letters(2, 3, "acebdf")) << "rows become columns";
  EXPECT_EQ(upright(stored, 6), letters(2, 3, "ecafdb")) << "a quarter turn clockwise";
  EXPECT_EQ(upright(stored, 7), letters(2, 3, "fdbeca")) << "rows become columns, half a turn";
  EXPECT_EQ(upright(stored, 8), letters(2, 3, "bdface")) << "a quarter turn counter-clockwise";
}

}  // namespace
}  // namespace dhyan
