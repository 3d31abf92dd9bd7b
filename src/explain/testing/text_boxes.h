#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include "explain/drawing.h"
#include "explain/testing/parsed_xml.h"

namespace dhyan {

// For tests: the rotated bounding box of a text in a picture. The viewer chooses the font, so the size is the estimate
// that pictures use.
struct TextBox {
  std::string kind;  // its class
  std::string text;
  std::array<Point, 4> corners;
};

inline double font_size_of(const XmlElement& text) {
  constexpr std::array kSmallKinds = {"small", "number small", "tick", "axis-name", "reading"};
  const auto own = text.attributes.find("font-size");
  if (own != text.attributes.end()) return std::stod(own->second);
  return std::ranges::find(kSmallKinds, text.attributes.at("class")) == kSmallKinds.end() ? kFontSize : kSmallSize;
}

// The share of the text before its position.
inline double share_before(const XmlElement& text) {
  const std::string& kind = text.attributes.at("class");
  const auto own = text.attributes.find("text-anchor");
  const std::string anchor = own != text.attributes.end() ? own->second
                             : kind.starts_with("row")    ? "end"
                             : kind.starts_with("number") ? "middle"
                                                          : "start";
  return anchor == "end" ? 1 : anchor == "middle" ? 0.5 : 0;
}

inline TextBox text_box(const XmlElement& text) {
  const double size = font_size_of(text), width = widest_estimate({text.text}, size);
  const double x = std::stod(text.attributes.at("x")), y = std::stod(text.attributes.at("y"));
  double degrees = 0;
  if (const auto turn = text.attributes.find("transform"); turn != text.attributes.end()) {
    std::istringstream(turn->second.substr(std::string("rotate(").size())) >> degrees;
  }
  const double angle = degrees * std::numbers::pi / 180;
  const auto corner = [&](double along, double down) {
    return Point{x + along * std::cos(angle) - down * std::sin(angle),
                 y + along * std::sin(angle) + down * std::cos(angle)};
  };
  const double begin = -width * share_before(text), top = -0.95 * size, bottom = 0.35 * size;
  return {text.attributes.at("class"),
          text.text,
          {corner(begin, top), corner(begin + width, top), corner(begin + width, bottom), corner(begin, bottom)}};
}

inline std::vector<TextBox> text_boxes(const std::vector<XmlElement>& elements) {
  std::vector<TextBox> boxes;
  for (const XmlElement& text : named(elements, "text")) {
    if (!text.text.empty()) boxes.push_back(text_box(text));
  }
  return boxes;
}

// Whether two boxes overlap by more than a touch: no side of either separates them.
inline bool overlap(const TextBox& a, const TextBox& b) {
  constexpr double kTouch = 0.5;
  for (const TextBox* box : {&a, &b}) {
    for (std::size_t i = 0; i < 2; ++i) {
      const Point from = box->corners[i], to = box->corners[i + 1];
      const double length = std::hypot(to.x - from.x, to.y - from.y);
      const auto extent = [&](const TextBox& of) {
        double least = std::numeric_limits<double>::max(), most = -least;
        for (const Point& corner : of.corners) {
          const double along = (corner.x * (to.x - from.x) + corner.y * (to.y - from.y)) / length;
          least = std::min(least, along);
          most = std::max(most, along);
        }
        return std::pair(least, most);
      };
      const auto [a_least, a_most] = extent(a);
      const auto [b_least, b_most] = extent(b);
      if (a_most <= b_least + kTouch || b_most <= a_least + kTouch) return false;
    }
  }
  return true;
}

// Fails the test if two texts of a picture overlap, or if one is outside of it.
inline void expect_texts_apart(const std::string& name, const std::string& svg) {
  const auto elements = parsed_xml(svg);
  const double width = std::stod(elements.front().attributes.at("width"));
  const double height = std::stod(elements.front().attributes.at("height"));
  const std::vector<TextBox> boxes = text_boxes(elements);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (const Point& corner : boxes[i].corners) {
      EXPECT_TRUE(corner.x >= 0 && corner.x <= width && corner.y >= 0 && corner.y <= height)
          << name << ": " << boxes[i].kind << " '" << boxes[i].text << "' at " << corner.x << ',' << corner.y;
    }
    for (std::size_t j = 0; j < i; ++j) {
      ASSERT_FALSE(overlap(boxes[i], boxes[j])) << name << ": " << boxes[i].kind << " '" << boxes[i].text << "' and "
                                                << boxes[j].kind << " '" << boxes[j].text << "'";
    }
  }
}

}  // namespace dhyan
