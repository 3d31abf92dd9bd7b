#include "explain/png.h"

#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

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

TEST(Png, TakesNoMoreMemoryForALargeSquare) {
  const std::string png =
      svg_to_png(R"(<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="20000"><rect width="9"/></svg>)");
  EXPECT_NEAR(number_at(png, 16) / 1.5, number_at(png, 20), 1);
  EXPECT_NEAR(1.0 * number_at(png, 16) * number_at(png, 20), 64e6, 1e5);
}

TEST(Png, SeveralThreadsMayDraw) {
  const std::string expected = to_png(example_explanation());
  std::vector<std::string> drawn(3);
  std::vector<std::jthread> threads;
  for (std::string& png : drawn) threads.emplace_back([&png] { png = to_png(example_explanation()); });
  threads.clear();
  for (const std::string& png : drawn) EXPECT_EQ(png, expected);
}

TEST(Png, ADrawingThatWaitsForAnotherCanBeStopped) {
  std::atomic<bool> drawn = false;
  const std::string large =
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="20000"><rect width="9"/></svg>)";
  std::jthread other([&] {
    svg_to_png(large);
    drawn = true;
  });
  struct Stopped {};
  const RenderOptions stop{.poll = [] { throw Stopped(); }};
  bool stopped = false;
  while (!stopped && !drawn) {
    try {
      to_png(example_explanation(), stop);
    } catch (const Stopped&) {
      stopped = !drawn;
    }
  }
  EXPECT_TRUE(stopped) << "before the other was done";
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
