#include "phrasebook/scene_drawing.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

#include "phrasebook/scene_figures.h"

namespace dhyan::picturebook {
namespace {

// FNV-1a
std::uint64_t hash_of(const Picture& picture, std::uint64_t state) {
  for (const std::uint8_t byte : picture.pixels) state = (state ^ byte) * 0x100000001b3;
  return state;
}

int distance(const Picture& a, const Picture& b, std::size_t pixel) {
  int longest = 0;
  for (std::size_t i = 3 * pixel; i < 3 * pixel + 3; ++i)
    longest = std::max(longest, std::abs(a.pixels[i] - b.pixels[i]));
  return longest;
}

TEST(Drawings, AreTheSameBytesOnEveryMachine) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::uint64_t number = 0; number < 100; ++number) hash = hash_of(draw(scene(number, Part::kTrain)), hash);
  EXPECT_EQ(hash, 13246124498363682752u);
}

TEST(Drawings, HaveThePromisedSize) {
  const Picture picture = draw(scene(0, Part::kTrain));
  EXPECT_EQ(picture.height, 64);
  EXPECT_EQ(picture.width, 64);
  EXPECT_EQ(picture.pixels.size(), 64u * 64 * 3);
}

// The same ground and noise without the objects differ only where an object covers a pixel.
TEST(Drawings, ChangeThePixelsThatObjectsCoverAndNoOthers) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    const Scene drawn = scene(number, Part::kTest);
    Scene empty = drawn;
    empty.objects.clear();
    const Picture picture = draw(drawn), ground = draw(empty);
    std::array<int, kSide * kSide> covered{};
    for (const Object& object : drawn.objects) {
      const Coverage cover = coverage(object);
      for (std::size_t i = 0; i < cover.size(); ++i) covered[i] += cover[i];
    }
    int visible = 0, whole = 0;
    for (std::size_t i = 0; i < covered.size(); ++i) {
      ASSERT_LE(covered[i], 255) << "objects overlap";
      if (covered[i] == 0) {
        ASSERT_EQ(distance(picture, ground, i), 0);
      }
      whole += covered[i] > 128 ? 1 : 0;
      visible += covered[i] > 128 && distance(picture, ground, i) >= 12 ? 1 : 0;
    }
    EXPECT_GE(visible, whole * 85 / 100) << number;
  }
}

// Somebody may put objects anywhere, and the part outside of the picture is not drawn.
TEST(Drawings, CutObjectsAtTheEdges) {
  Scene empty = scene(0, Part::kTest);
  empty.objects.clear();
  empty.grain = 0;
  const Picture ground = draw(empty);
  for (const int x : {0, kSide / 2, kSide}) {
    for (const int y : {0, kSide / 2, kSide}) {
      Scene cut = empty;
      for (const Figure figure : {Figure::kSquare, Figure::kStar, Figure::kCircle}) {
        cut.objects = {
            {.figure = figure, .size = Size::kLarge, .x = x * kPixel, .y = y * kPixel, .radius = 14 * kPixel}};
        const Picture picture = draw(cut);
        const Coverage cover = coverage(cut.objects.front());
        for (std::size_t i = 0; i < cover.size(); ++i) {
          if (cover[i] == 0) {
            ASSERT_EQ(distance(picture, ground, i), 0) << x << "," << y;
          }
        }
        EXPECT_TRUE(std::ranges::any_of(cover, [](int share) { return share == 255; })) << x << "," << y;
      }
    }
  }
}

TEST(Coverage, OfASquareIsItsArea) {
  const Object square{.figure = Figure::kSquare, .x = 32 * kPixel, .y = 32 * kPixel, .radius = 10 * kPixel};
  const Coverage cover = coverage(square);
  double area = 0;
  for (const std::uint8_t pixel : cover) area += pixel / 255.0;
  EXPECT_NEAR(area, 16.4 * 16.4, 2);
  EXPECT_EQ(cover[32 * kSide + 32], 255);
  EXPECT_EQ(cover[32 * kSide + 42], 0);
  EXPECT_NEAR(cover[32 * kSide + 40], 0.2 * 255, 8);  // its edge is at 40.2
}

TEST(Coverage, OfATiltedObjectHasTheSameArea) {
  for (int figure = 0; figure < kFigures; ++figure) {
    Object object{.figure = static_cast<Figure>(figure), .x = 30 * kPixel, .y = 31 * kPixel, .radius = 11 * kPixel};
    const auto area = [&](int tilt) {
      object.tilt = tilt;
      double sum = 0;
      for (const std::uint8_t pixel : coverage(object)) sum += pixel / 255.0;
      return sum;
    };
    EXPECT_GT(area(0), 100);
    EXPECT_NEAR(area(21), area(0), 4) << figure;
    EXPECT_NEAR(area(-100), area(0), 4) << figure;
  }
}

TEST(Outlines, StayWithinTheReachOfTheirFigure) {
  for (int figure = 0; figure < kFigures; ++figure) {
    for (int tilt = 0; tilt < kTurn; tilt += 5) {
      const Object object{.figure = static_cast<Figure>(figure), .radius = 11 * kPixel, .tilt = tilt};
      const int far = reach(object.figure, object.radius);
      for (const Point& p : outline(object)) EXPECT_LE(p.x * p.x + p.y * p.y, far * far);
    }
  }
}

TEST(Sines, EqualKnownValues) {
  EXPECT_EQ(sine(0), 0);
  EXPECT_EQ(sine(64), 1 << 14);
  EXPECT_EQ(sine(128), 0);
  EXPECT_EQ(sine(-64), -(1 << 14));
  EXPECT_EQ(sine(32), 11585);  // sqrt(1/2)
  EXPECT_EQ(cosine(0), 1 << 14);
  EXPECT_EQ(cosine(256 + 64), 0);
}

}  // namespace
}  // namespace dhyan::picturebook
