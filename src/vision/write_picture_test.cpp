#include "vision/write_picture.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

#include "core/error.h"
#include "vision/read_picture.h"

namespace dhyan {
namespace {

Picture gradient(Index height, Index width) {
  Picture picture{height, width, {}};
  for (Index i = 0; i < height * width; ++i) {
    for (const Index value : {i % width * 3, i / width * 5, Index{90}}) {
      picture.pixels.push_back(static_cast<std::uint8_t>(value));
    }
  }
  return picture;
}

Picture decoded(const std::string& bytes) { return decode_picture(std::as_bytes(std::span(bytes)), "written"); }

TEST(WritePicture, PngIsReadBackAsItWas) {
  for (const Index side : {1, 2, 31}) {
    const Picture picture = gradient(side, side + 7);
    EXPECT_EQ(decoded(to_png_bytes(picture)), picture);
  }
}

TEST(WritePicture, AlphaIsKept) {
  const Picture picture{1, 3, {0, 0, 0, 0, 0, 0, 10, 20, 30}};
  const std::uint8_t alpha[] = {0, 51, 255};
  EXPECT_EQ(decoded(to_png_bytes(picture, alpha)), (Picture{1, 3, {255, 255, 255, 204, 204, 204, 10, 20, 30}}));
}

int greatest_difference(const Picture& a, const Picture& b) {
  int greatest = a.pixels.size() == b.pixels.size() ? 0 : 256;
  for (std::size_t i = 0; greatest < 256 && i < a.pixels.size(); ++i) {
    greatest = std::max(greatest, std::abs(a.pixels[i] - b.pixels[i]));
  }
  return greatest;
}

TEST(WritePicture, JpegIsReadBackNearlyAsItWas) {
  const Picture picture = gradient(40, 60);
  const std::string fine = to_jpeg_bytes(picture, 95), coarse = to_jpeg_bytes(picture, 30);
  EXPECT_LT(coarse.size(), fine.size());
  EXPECT_LE(greatest_difference(decoded(fine), picture), 8);
}

TEST(WritePicture, JpegKeepsTheColourOfEachPixel) {
  Picture stripes{16, 16, {}};
  for (Index i = 0; i < 16 * 16; ++i) {
    for (const Index value : {i % 2 * 255, Index{0}, 255 - i % 2 * 255})
      stripes.pixels.push_back(static_cast<std::uint8_t>(value));
  }
  EXPECT_LE(greatest_difference(decoded(to_jpeg_bytes(stripes, 95)), stripes), 30);
}

TEST(WritePicture, RefusesPicturesWithoutPixels) {
  const std::uint8_t alpha[] = {1};
  EXPECT_THROW(to_png_bytes({}), UsageError);
  EXPECT_THROW(to_png_bytes({2, 2, {1, 2, 3}}), UsageError);
  EXPECT_THROW(to_png_bytes(gradient(2, 2), alpha), UsageError);
  EXPECT_THROW(to_jpeg_bytes({2, 2, {1, 2, 3}}, 90), UsageError);
}

TEST(WritePicture, RefusesPicturesThatJpegCannotStore) {
  EXPECT_THROW(to_jpeg_bytes(gradient(1, 70'000), 90), UsageError);
}

}  // namespace
}  // namespace dhyan
