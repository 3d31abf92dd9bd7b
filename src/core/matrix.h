#pragma once

#include "core/real.h"

namespace dhyan {

// A window on row-major numbers to read from: `rows` rows of `cols`, one every `stride`. Owns nothing. t() reads it
// transposed without moving a number.
struct ConstMatrix {
  const Real* data = nullptr;
  Index rows = 0;    // as stored
  Index cols = 0;    // as stored
  Index stride = 0;  // distance between the starts of two rows; cols where rows touch
  bool transposed = false;

  const Real* row(Index r) const { return data + r * stride; }
  ConstMatrix t() const { return {data, rows, cols, stride, !transposed}; }
  // Extents as read, and some columns.
  Index m() const { return transposed ? cols : rows; }
  Index n() const { return transposed ? rows : cols; }
  ConstMatrix columns(Index begin, Index count) const {
    return transposed ? ConstMatrix{row(begin), count, cols, stride, true}
                      : ConstMatrix{data + begin, rows, count, stride, false};
  }
};

// The same, to write to.
struct Matrix {
  Real* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  Real* row(Index r) const { return data + r * stride; }
  ConstMatrix t() const { return {data, rows, cols, stride, true}; }
  Matrix columns(Index begin, Index count) const { return {data + begin, rows, count, stride}; }
  operator ConstMatrix() const { return {data, rows, cols, stride, false}; }  // what can be written can be read
};

}  // namespace dhyan
