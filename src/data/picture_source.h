#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/grid_shape.h"
#include "text/tokenizer.h"

namespace dhyan {

enum class PictureContent : std::uint8_t {
  kPixels,    // bytes, RGB
  kFeatures,  // bfloat16, the grid that a frozen network made of the pixels
};

// How a picture is stored: row by row, the channels of a cell side by side.
struct PictureFormat {
  PictureContent content = PictureContent::kPixels;
  GridShape size;
  Index channels = 3;

  std::size_t bytes() const {
    const Index element = content == PictureContent::kPixels ? 1 : 2;
    return static_cast<std::size_t>(size.cells() * channels * element);
  }

  friend bool operator==(const PictureFormat&, const PictureFormat&) = default;
};

// Pictures by number, all of one format. Immutable: any number of threads may read.
class PictureSource {
 public:
  virtual ~PictureSource() = default;
  PictureSource(const PictureSource&) = delete;
  PictureSource& operator=(const PictureSource&) = delete;

  virtual PictureFormat format() const = 0;

  // Copies a picture into format().bytes() bytes. A pure function of the number.
  virtual void read(TokenId number, std::span<std::byte> to) const = 0;

 protected:
  PictureSource() = default;
};

}  // namespace dhyan
