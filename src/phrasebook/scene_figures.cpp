#include "phrasebook/scene_figures.h"

#include <algorithm>
#include <numbers>
#include <span>

namespace dhyan::picturebook {

namespace {

constexpr int kSineBits = 14;
constexpr double kOutlineUnit = 4096;

// Evaluated by the compiler: IEEE sums and products, the same with every compiler.
constexpr double exact_sine(double turns) {
  const double x = 2 * std::numbers::pi * (turns > 0.5 ? turns - 1 : turns);
  double term = x, sum = x;
  for (int n = 2; n < 30; n += 2) sum += term *= -x * x / (n * (n + 1));
  return sum;
}
constexpr double exact_cosine(double turns) { return exact_sine(turns < 0.75 ? turns + 0.25 : turns - 0.75); }

constexpr int rounded(double value) { return static_cast<int>(value < 0 ? value - 0.5 : value + 0.5); }
constexpr Point point(double x, double y) { return {rounded(x * kOutlineUnit), rounded(y * kOutlineUnit)}; }

constexpr auto kSines = [] {
  std::array<int, kTurn> sines{};
  for (int i = 0; i < kTurn; ++i)
    sines[static_cast<std::size_t>(i)] = rounded(exact_sine(i / 256.0) * (1 << kSineBits));
  return sines;
}();

// The points at(t) for t = 0, 1/N … of a turn.
template <std::size_t N>
constexpr std::array<Point, N> curve(Point (*at)(double turns)) {
  std::array<Point, N> points{};
  for (std::size_t i = 0; i < N; ++i) points[i] = at(static_cast<double>(i) / N);
  return points;
}

constexpr auto kCircle = curve<32>([](double t) { return point(0.94 * exact_cosine(t), 0.94 * exact_sine(t)); });

constexpr std::array kSquare{point(-0.82, -0.82), point(0.82, -0.82), point(0.82, 0.82), point(-0.82, 0.82)};

constexpr std::array kTriangle{point(0, -1.1), point(0.97, 0.63), point(-0.97, 0.63)};

constexpr auto kStar = [] {
  std::array<Point, 10> points{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double radius = i % 2 == 0 ? 1.14 : 0.52, turns = static_cast<double>(i) / 10;
    points[i] = point(radius * exact_sine(turns), -radius * exact_cosine(turns));
  }
  return points;
}();

constexpr auto kHeart = curve<36>([](double t) {
  const double s = exact_sine(t), c = exact_cosine(t);
  const double c2 = 2 * c * c - 1, c3 = c * (2 * c2 - 1), c4 = 2 * c2 * c2 - 1;  // cosines of 2t, 3t, 4t
  return point(1.08 * s * s * s, -0.12 - (13 * c - 5 * c2 - 2 * c3 - c4) / 15.5);
});

// The outer side is a circle from tip to tip, the inner one a parabola.
constexpr auto kMoon = [] {
  constexpr std::size_t kOuter = 25, kInner = 13;
  constexpr double kTip = 0.13, kShift = 0.14;
  std::array<Point, kOuter + kInner> points{};
  for (std::size_t i = 0; i < kOuter; ++i) {
    const double t = kTip + (1 - 2 * kTip) * static_cast<double>(i) / (kOuter - 1);
    points[i] = point(1.04 * exact_cosine(t) + kShift, 1.04 * exact_sine(t));
  }
  const double tip_x = 1.04 * exact_cosine(kTip), tip_y = 1.04 * exact_sine(kTip);
  for (std::size_t i = 0; i < kInner; ++i) {
    const double share = -1 + 2 * static_cast<double>(i + 1) / (kInner + 1);  // between the tips, from the upper one
    points[kOuter + i] = point(tip_x - (tip_x + 0.16) * (1 - share * share) + kShift, tip_y * share);
  }
  return points;
}();

// A fighter kite with its small tail.
constexpr std::array kKite{point(0, -1.12),   point(0.92, -0.2), point(0.1, 0.62),  point(0.4, 1.08),
                           point(-0.4, 1.08), point(-0.1, 0.62), point(-0.92, -0.2)};

constexpr auto kDrop = curve<32>([](double t) {
  const double s = exact_sine(t), c = exact_cosine(t);
  return point(1.06 * s * (1 - c) / 2, -1.12 * c);
});

// The longest distance from the centre, rounded up, in outline units.
constexpr int reach_of(std::span<const Point> points) {
  int longest = 0;
  for (const Point& p : points) {
    while (longest * longest < p.x * p.x + p.y * p.y) ++longest;
  }
  return longest;
}

struct Drawn {
  std::span<const Point> outline;
  int most_tilt;  // in 1/256 turn
  int reach;
};

template <std::size_t N>
constexpr Drawn drawn(const std::array<Point, N>& points, int most_tilt) {
  static_assert(N <= kMostCorners);
  return {points, most_tilt, reach_of(points)};
}

// In the order of Figure.
constexpr std::array<Drawn, kFigures> kDrawn{drawn(kCircle, 0), drawn(kSquare, 13), drawn(kTriangle, 13),
                                             drawn(kStar, 13),  drawn(kHeart, 16),  drawn(kMoon, 20),
                                             drawn(kKite, 18),  drawn(kDrop, 16)};

const Drawn& drawing_of(Figure figure) { return kDrawn[static_cast<std::size_t>(figure)]; }

}  // namespace

int sine(int angle) { return kSines[static_cast<std::size_t>(angle & (kTurn - 1))]; }

std::vector<Point> outline(const Object& object) {
  const std::int64_t s = sine(object.tilt), c = cosine(object.tilt);
  const auto scaled = [&](std::int64_t value) {  // from outline units times a sine to 1/256 pixel
    constexpr int kShift = kSineBits + 12;
    return static_cast<int>((value * object.radius + (std::int64_t{1} << (kShift - 1))) >> kShift);
  };
  const std::span<const Point> upright = drawing_of(object.figure).outline;
  std::vector<Point> points;
  points.reserve(upright.size());
  for (const Point& p : upright) {
    points.push_back({object.x + scaled(p.x * c - p.y * s), object.y + scaled(p.x * s + p.y * c)});
  }
  return points;
}

int reach(Figure figure, int radius) { return (drawing_of(figure).reach * radius >> 12) + 2; }

int most_tilt(Figure figure) { return drawing_of(figure).most_tilt; }

}  // namespace dhyan::picturebook
