#pragma once

#include <concepts>
#include <span>
#include <string>

#include "data/picture_source.h"

namespace dhyan {

// The inputs of a translator: lines of text, or pictures with their names as lines.
struct Inputs {
  std::span<const std::string> lines;
  const PictureSource* pictures = nullptr;  // null: text; must outlive the inputs
  Index first = 0;                          // number of the picture of the first line

  Inputs() = default;
  template <std::convertible_to<std::span<const std::string>> Lines>
  Inputs(const Lines& text) : lines(text) {}  // implicit: text is the usual input
  Inputs(std::span<const std::string> names, const PictureSource* source, Index number = 0)
      : lines(names), pictures(source), first(number) {}

  std::size_t size() const { return lines.size(); }

  TokenId picture(std::size_t line) const { return static_cast<TokenId>(first + static_cast<Index>(line)); }

  // `count` inputs from `begin` on.
  Inputs part(std::size_t begin, std::size_t count) const {
    return {lines.subspan(begin, count), pictures, first + static_cast<Index>(begin)};
  }
};

}  // namespace dhyan
