#include "vision/read_picture.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "core/file.h"
#include "vision/write_picture.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

Picture grey_picture(Index height, Index width) {
  return {height, width, std::vector<std::uint8_t>(static_cast<std::size_t>(height * width * 3), 128)};
}

Picture decode(std::string_view bytes, const DecodeOptions& options = {}) {
  return decode_picture(std::as_bytes(std::span(bytes)), "photo.jpg", options);
}

std::string refusal(std::string_view bytes, const DecodeOptions& options = {}) {
  try {
    decode(bytes, options);
  } catch (const PictureError& error) {
    return error.what();
  }
  return "";
}

// A big-endian number of `size` bytes put into a header.
std::string with_number(std::string bytes, std::size_t at, std::size_t size, std::uint32_t number) {
  for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(number >> (8 * (size - 1 - i)));
  return bytes;
}

TEST(ReadPicture, RefusesOtherFiles) {
  EXPECT_EQ(refusal(""), "photo.jpg: the file is empty");
  EXPECT_EQ(refusal("GIF89a and more"), "photo.jpg: the file is no JPEG, PNG or WebP");
  EXPECT_EQ(refusal("RIFF1234WAVE"), "photo.jpg: the file is no JPEG, PNG or WebP");
  EXPECT_EQ(refusal("RIFF"), "photo.jpg: the file is no JPEG, PNG or WebP");
}

TEST(ReadPicture, RefusesFilesThatAreTooLarge) {
  std::string bytes = to_png_bytes(grey_picture(4, 4));
  bytes.resize(kMaxPictureBytes);
  EXPECT_EQ(decode(bytes), grey_picture(4, 4)) << "bytes behind the picture do not matter";
  bytes += '\0';
  EXPECT_EQ(refusal(bytes), "photo.jpg: the file has 20,000,001 bytes; expected at most 20,000,000");
}

TEST(ReadPicture, ChecksTheSizeInTheHeaderFirst) {
  const DecodeOptions few{.max_pixels = 99};
  const std::string jpeg = to_jpeg_bytes(grey_picture(10, 10), 80), png = to_png_bytes(grey_picture(10, 10));
  EXPECT_EQ(refusal(jpeg, few), "photo.jpg: the picture has 10 x 10 pixels; expected 1 to 99 in all");
  EXPECT_EQ(refusal(png, few), "photo.jpg: the picture has 10 x 10 pixels; expected 1 to 99 in all");
  EXPECT_EQ(decode(png, {.max_pixels = 100}), grey_picture(10, 10));
  const std::size_t frame = jpeg.find("\xFF\xC0");
  EXPECT_EQ(refusal(with_number(jpeg, frame + 5, 4, 0x8000'8000)),
            "photo.jpg: the picture has 32768 x 32768 pixels; expected 1 to 40,000,000 in all");
}

TEST(ReadPicture, NamesTheProblem) {
  const std::string jpeg = to_jpeg_bytes(grey_picture(64, 64), 80), png = to_png_bytes(grey_picture(64, 64));
  EXPECT_EQ(refusal(jpeg.substr(0, jpeg.size() - 20)), "photo.jpg: Premature end of JPEG file");
  EXPECT_EQ(refusal(png.substr(0, png.size() - 20)), "photo.jpg: PNG: the file ends before the picture");
  EXPECT_EQ(refusal(with_number(png, 20, 1, 1)), "photo.jpg: PNG: IHDR: CRC error");
}

TEST(ReadPicture, DecodesAJpegNoSmallerThanWanted) {
  const std::string jpeg = to_jpeg_bytes(grey_picture(100, 160), 90);
  const auto size = [&](Index height, Index width) {
    const Picture picture = decode(jpeg, {.wanted_height = height, .wanted_width = width});
    return std::pair{picture.height, picture.width};
  };
  EXPECT_EQ(size(0, 0), (std::pair<Index, Index>{100, 160}));
  EXPECT_EQ(size(51, 1), (std::pair<Index, Index>{100, 160}));
  EXPECT_EQ(size(50, 80), (std::pair<Index, Index>{50, 80}));
  EXPECT_EQ(size(26, 40), (std::pair<Index, Index>{50, 80}));
  EXPECT_EQ(size(25, 40), (std::pair<Index, Index>{25, 40}));
  EXPECT_EQ(size(12, 20), (std::pair<Index, Index>{13, 20})) << "libjpeg rounds up";
  EXPECT_EQ(size(1, 1), (std::pair<Index, Index>{13, 20}));
  EXPECT_EQ(size(1000, 1000), (std::pair<Index, Index>{100, 160}));
}

// A progressive JPEG of one grey block: a scan for each coefficient, and one more for each of its lowest bits.
std::string many_scans(int bits) {
  std::string bytes("\xFF\xD8\xFF\xDB\0\x43\0", 7);
  bytes.append(64, '\1');
  bytes.append("\xFF\xC2\0\x0B\x08\0\x08\0\x08\1\1\x11\0", 13);
  for (const char table : {'\0', '\x10'}) {  // each has one code, 0
    bytes.append("\xFF\xC4\0\x14", 4).append(1, table).append(1, '\1').append(16, '\0');
  }
  for (char coefficient = 0; coefficient < 64; ++coefficient) {
    for (int bit = bits; bit >= 0; --bit) {
      const int before = bit == bits ? 0 : bit + 1;
      bytes.append("\xFF\xDA\0\x08\1\1\0", 7).append(2, coefficient);
      bytes.append(1, static_cast<char>(before * 16 + bit)).append(1, '\x7F');
    }
  }
  return bytes.append("\xFF\xD9", 2);
}

TEST(ReadPicture, RefusesTooManyScans) {
  EXPECT_EQ(decode(many_scans(2)), grey_picture(8, 8)) << "192 scans";
  EXPECT_EQ(refusal(many_scans(3)), "photo.jpg: JPEG: more than 200 scans");
}

TEST(ReadPicture, ReadsFiles) {
  const fs::path path = fs::path(testing::TempDir()) / "read_picture.png";
  write_file(path, to_png_bytes(grey_picture(3, 5)));
  EXPECT_EQ(read_picture(path), grey_picture(3, 5));
  write_file(path, "no picture");
  EXPECT_THROW(read_picture(path), PictureError);
  fs::remove(path);
  EXPECT_THROW(read_picture(path), IoError);
  EXPECT_THROW(read_picture(testing::TempDir()), IoError) << "a folder";
}

}  // namespace
}  // namespace dhyan
