#include "core/shape.h"

#include <ostream>

#include "core/error.h"

namespace dhyan {

void Shape::refuse_rank(std::size_t rank) {
  throw ShapeError(cat("Shape: rank is ", rank, ", expected at most ", kMaxRank));
}

void Shape::refuse_extent(Index extent) const {
  if (extent < 0) throw ShapeError(cat("Shape: extent ", extent, " of axis ", rank_, " is negative"));
  throw ShapeError(cat("Shape: more than ", kMaxElements, " elements with extent ", extent, " of axis ", rank_));
}

Shape Shape::with_cols(Index cols) const {
  if (rank_ == 0) throw ShapeError("Shape::with_cols: a scalar has no columns");
  Shape result = *this;
  result.extents_[static_cast<std::size_t>(--result.rank_)] = 1;
  result.append(cols);
  return result;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axis > 0) text += ',';
    text += std::to_string(shape[axis]);
  }
  return text + "]";
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << to_string(shape); }

void refuse_shape(const char* op, const char* name, const Shape& actual, const Shape& expected) {
  throw ShapeError(cat(op, ": ", name, " is ", actual, ", expected ", expected));
}

void refuse_rank(const char* op, const char* name, const Shape& actual, int rank) {
  throw ShapeError(cat(op, ": ", name, " is ", actual, ", expected rank ", rank));
}

}  // namespace dhyan
