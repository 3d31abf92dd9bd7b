#include "phrasebook/scene_drawing.h"

#include <algorithm>
#include <span>

#include "core/rng.h"
#include "phrasebook/scene_figures.h"

namespace dhyan::picturebook {

namespace {

struct Rgb {
  int red, green, blue;
};

// In the order of Colour.
constexpr std::array<Rgb, kColours> kPaint{Rgb{216, 44, 46}, Rgb{245, 140, 28}, Rgb{252, 218, 48},  Rgb{46, 150, 66},
                                           Rgb{38, 98, 212}, Rgb{136, 58, 176}, Rgb{250, 250, 248}, Rgb{38, 36, 42}};

// Pale enough to differ from all colours of objects, and dark enough for white objects.
constexpr std::array<Rgb, kSoftColours> kSoft{Rgb{186, 212, 232}, Rgb{196, 224, 200}, Rgb{236, 208, 184},
                                              Rgb{210, 200, 228}, Rgb{226, 218, 190}, Rgb{232, 200, 206},
                                              Rgb{184, 218, 218}, Rgb{206, 206, 206}};

constexpr int kLines = 4;  // sampled lines of a pixel; along a line coverage is exact

// Adds the part of each pixel of a row that lies between two crossings, in 1/256. They may be outside of the picture.
void add_span(int from, int to, std::array<int, kSide>& row) {
  from = std::max(from, 0);
  to = std::min(to, kSide * kPixel);
  for (int x = from / kPixel; x * kPixel < to; ++x) {
    row[static_cast<std::size_t>(x)] += std::min(to, (x + 1) * kPixel) - std::max(from, x * kPixel);
  }
}

// The inside of an outline along one line, by the even-odd rule.
void add_line(std::span<const Point> outline, int y, std::array<int, kSide>& row) {
  std::array<int, kMostCorners> crossings;  // sorted
  std::size_t count = 0;
  Point a = outline.back();
  for (const Point& b : outline) {
    if ((a.y <= y) != (b.y <= y)) {
      const int x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
      std::size_t at = count++;
      for (; at > 0 && crossings[at - 1] > x; --at) crossings[at] = crossings[at - 1];
      crossings[at] = x;
    }
    a = b;
  }
  for (std::size_t i = 0; i < count; i += 2) add_span(crossings[i], crossings[i + 1], row);
}

std::uint8_t to_byte(int value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); }

// Blends `share` of 255 parts of the colour over the pixel.
void blend(const Rgb& colour, int share, std::uint8_t* pixel) {
  const auto mix = [share](std::uint8_t old, int paint) {
    return to_byte((old * (255 - share) + paint * share + 127) / 255);
  };
  pixel[0] = mix(pixel[0], colour.red);
  pixel[1] = mix(pixel[1], colour.green);
  pixel[2] = mix(pixel[2], colour.blue);
}

// light of 256 parts
Rgb lit(const Rgb& colour, int light) {
  return {colour.red * light >> 8, colour.green * light >> 8, colour.blue * light >> 8};
}

void draw_ground(const Ground& ground, Picture& picture) {
  const Rgb first = kSoft[static_cast<std::size_t>(ground.first)],
            second = kSoft[static_cast<std::size_t>(ground.second)];
  const int c = cosine(ground.direction), s = sine(ground.direction);
  std::uint8_t* pixel = picture.pixels.data();
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x, pixel += 3) {
      // -32..32 along the direction, a little more in the corners, as 0..256
      const int along = ((2 * x + 1 - kSide) * c + (2 * y + 1 - kSide) * s) >> 15;
      const int share = std::clamp(128 + 3 * along, 0, 256);
      const auto mix = [share](int a, int b) {
        return static_cast<std::uint8_t>((a * (256 - share) + b * share) >> 8);
      };
      pixel[0] = mix(first.red, second.red);
      pixel[1] = mix(first.green, second.green);
      pixel[2] = mix(first.blue, second.blue);
    }
  }
}

// The pixels that an object may cover: first to last row and column of the part that is in the picture.
struct Box {
  int top, bottom, left, right;
};

Box box_of(const Object& object) {
  const int far = reach(object.figure, object.radius);
  const auto within = [](int place) { return std::clamp(place / kPixel, 0, kSide - 1); };
  return {within(object.y - far), within(object.y + far), within(object.x - far), within(object.x + far)};
}

// The least coverage of a pixel and its four neighbours: the inside of the rim. At the edge of the picture all is rim.
int inner(const Coverage& cover, int x, int y) {
  if (x == 0 || y == 0 || x == kSide - 1 || y == kSide - 1) return 0;
  const std::uint8_t* pixel = &cover[static_cast<std::size_t>(y * kSide + x)];
  return std::min({pixel[0], pixel[-1], pixel[1], pixel[-kSide], pixel[kSide]});
}

// Draws a dark rim, and inside it the colour, lit from the upper left.
void draw_object(const Object& object, Picture& picture) {
  Rgb paint = kPaint[static_cast<std::size_t>(object.colour)];
  paint = {paint.red + object.tint[0], paint.green + object.tint[1], paint.blue + object.tint[2]};
  const Coverage cover = coverage(object);
  const Rgb rim = lit(paint, 176);
  const Box box = box_of(object);
  for (int y = box.top; y <= box.bottom; ++y) {
    for (int x = box.left; x <= box.right; ++x) {
      const int share = cover[static_cast<std::size_t>(y * kSide + x)];
      if (share == 0) continue;
      std::uint8_t* pixel = &picture.pixels[static_cast<std::size_t>(3 * (y * kSide + x))];
      blend(rim, share, pixel);
      const int away = (x + y) * kPixel - object.x - object.y;
      blend(lit(paint, std::clamp(256 - 20 * away / object.radius, 220, 292)), inner(cover, x, y), pixel);
    }
  }
}

void add_noise(const Scene& scene, Picture& picture) {
  const Rng rng(scene.noise);
  const int width = 2 * scene.grain + 1;
  std::uint8_t* values = picture.pixels.data();
  for (std::uint64_t i = 0; i < picture.pixels.size() / 16; ++i, values += 16) {  // a block has 16 random bytes
    const Rng::Block block = rng.block(i);
    for (int j = 0; j < 16; ++j) {
      const auto byte = static_cast<int>(block[static_cast<std::size_t>(j / 4)] >> (8 * (j % 4)) & 255);
      values[j] = to_byte(values[j] + (byte * width >> 8) - scene.grain);
    }
  }
}

}  // namespace

Coverage coverage(const Object& object) {
  const std::vector<Point> points = outline(object);
  const Box box = box_of(object);
  Coverage cover{};
  for (int y = box.top; y <= box.bottom; ++y) {
    std::array<int, kSide> row{};
    for (int line = 0; line < kLines; ++line)
      add_line(points, y * kPixel + (2 * line + 1) * kPixel / (2 * kLines), row);
    for (int x = box.left; x <= box.right; ++x) {
      cover[static_cast<std::size_t>(y * kSide + x)] =
          to_byte(row[static_cast<std::size_t>(x)] * 255 / (kLines * kPixel));
    }
  }
  return cover;
}

Picture draw(const Scene& scene) {
  Picture picture{kSide, kSide, std::vector<std::uint8_t>(3 * kSide * kSide)};
  draw_ground(scene.ground, picture);
  for (const Object& object : scene.objects) draw_object(object, picture);
  add_noise(scene, picture);
  return picture;
}

}  // namespace dhyan::picturebook
