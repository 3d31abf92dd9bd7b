// Decoded pictures equal Pillow's; a picture that is cut short is refused. tests/golden/make_pictures.py makes the
// files.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/number_text.h"
#include "vision/read_picture.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kGolden = DHYAN_GOLDEN;

const Json& golden_pictures() {
  static const Json pictures = Json::parse(std::ifstream(kGolden / "pictures.json")).at("pictures");
  return pictures;
}

std::vector<std::uint8_t> from_hex(const std::string& hex) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

int greatest_difference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  int greatest = a.size() == b.size() ? 0 : 256;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) greatest = std::max(greatest, std::abs(a[i] - b[i]));
  return greatest;
}

DecodeOptions options_of(const Json& entry) {
  if (!entry.contains("wanted")) return {};
  return {.wanted_height = entry["wanted"][0], .wanted_width = entry["wanted"][1]};
}

TEST(GoldenPictures, AreDecodedAsPillowDecodesThem) {
  for (const Json& entry : golden_pictures()) {
    const std::string file = entry["file"];
    const Picture picture = read_picture(kGolden / "pictures" / file, options_of(entry));
    EXPECT_EQ(picture.height, entry["height"].get<Index>()) << file;
    EXPECT_EQ(picture.width, entry["width"].get<Index>()) << file;
    EXPECT_LE(greatest_difference(picture.pixels, from_hex(entry["pixels"])), entry["tolerance"].get<int>()) << file;
  }
  EXPECT_GT(golden_pictures().size(), 40u);
}

TEST(GoldenPictures, CutShortAnywhereAreRefused) {
  for (const Json& entry : golden_pictures()) {
    const std::string file = entry["file"];
    std::ifstream stream(kGolden / "pictures" / file, std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(stream), {}};
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::string part = whole.substr(0, size);  // of its own, so that the sanitizer sees a read beyond it
      EXPECT_THROW(decode_picture(std::as_bytes(std::span(part)), file), PictureError) << file << ", " << size;
    }
  }
}

}  // namespace
}  // namespace dhyan
