#pragma once

#include "core/real.h"

namespace dhyan {

// A read-only view of a row-major matrix: `rows` rows of `cols` values, one row every `stride` values. t() is its
// transpose, a view of the same values.
struct ConstMatrix {
  const Real* data = nullptr;
  Index rows = 0;    // as stored
  Index cols = 0;    // as stored
  Index stride = 0;  // distance between the starts of two rows, in values
  bool transposed = false;

  const Real* row(Index r) const { return data + r * stride; }
  ConstMatrix t() const { return {data, rows, cols, stride, !transposed}; }
  // With `transposed` taken into account: m() x n() is the shape, columns() a range of columns.
  Index m() const { return transposed ? cols : rows; }
  Index n() const { return transposed ? rows : cols; }
  ConstMatrix columns(Index begin, Index count) const {
    return transposed ? ConstMatrix{row(begin), count, cols, stride, true}
                      : ConstMatrix{data + begin, rows, count, stride, false};
  }
};

// A writable view.
struct Matrix {
  Real* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  Real* row(Index r) const { return data + r * stride; }
  ConstMatrix t() const { return {data, rows, cols, stride, true}; }
  Matrix columns(Index begin, Index count) const { return {data + begin, rows, count, stride}; }
  operator ConstMatrix() const { return {data, rows, cols, stride, false}; }
};

}  // namespace dhyan
