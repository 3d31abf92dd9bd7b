#include "explain/png.h"

#include <cstdint>
#include <gtest/gtest.h>

#include "explain/svg.h"
#include "explain/testing/example_explanation.h"
#include "explain/testing/parsed_xml.h"

namespace dhyan {
namespace {

// A big-endian integer of a PNG header.
std::uint32_t number_at(const std::string& png, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i) number = number << 8 | static_cast<unsigned char>(png[i]);
  return number;
}

TEST(Png, HasTwoPixelsPerUnit) {
  const std::string png = to_png(example_explanation());
  ASSERT_GT(png.size(), 1000u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const XmlElement picture = parsed_xml(to_svg(example_explanation())).front();
  EXPECT_EQ(number_at(png, 16), 2 * std::stoul(picture.attributes.at("width")));
  EXPECT_EQ(number_at(png, 20), 2 * std::stoul(picture.attributes.at("height")));
}

TEST(Png, IsDeterministic) { EXPECT_EQ(to_png(example_explanation()), to_png(example_explanation())); }

TEST(Png, ScalesDownVeryLargePictures) {
  Explanation long_one = example_explanation();
  AttentionMap& map = long_one.maps.front();
  map.columns = {"</s>"};
  map.rows.assign(1100, "w");
  map.weights.assign(1100, {1});
  EXPECT_EQ(number_at(to_png(long_one), 20), 32'000u);
}

TEST(Png, WarnsIfNoFontHasALabel) {
  EXPECT_EQ(png_warning(example_explanation()), "");
  Explanation unassigned = example_explanation();
  unassigned.target_units[1] = "\U000E1000";  // unassigned, so no font has it
  EXPECT_EQ(png_warning(unassigned),
            "png: no font on this machine has all of '\U000E1000'; for Devanagari on Debian: "
            "apt-get install fonts-lohit-deva");
}

}  // namespace
}  // namespace dhyan
