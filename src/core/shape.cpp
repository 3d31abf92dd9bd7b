#include "core/shape.h"

#include <limits>
#include <ostream>

#include "core/error.h"

namespace dhyan {

Shape::Shape(std::span<const Index> extents) {
  if (extents.size() > kMaxRank) {
    throw ShapeError(cat("Shape: rank is ", extents.size(), ", expected at most ", kMaxRank));
  }
  for (const Index extent : extents) append(extent);
}

void Shape::append(Index extent) {
  if (extent < 0) throw ShapeError(cat("Shape: extent ", extent, " of axis ", rank_, " is negative"));
  // Bytes, not only elements, must be countable: allocations multiply by the size of a Real.
  constexpr Index kMostElements = std::numeric_limits<Index>::max() / static_cast<Index>(sizeof(Real));
  if (extent > 0 && size() > kMostElements / extent) {
    throw ShapeError(cat("Shape: more than ", kMostElements, " elements with extent ", extent, " of axis ", rank_));
  }
  extents_[static_cast<std::size_t>(rank_++)] = extent;
}

Index Shape::size() const {
  Index elements = 1;
  for (int axis = 0; axis < rank_; ++axis) elements *= (*this)[axis];
  return elements;
}

Index Shape::rows() const {
  Index rows = 1;
  for (int axis = 0; axis + 1 < rank_; ++axis) rows *= (*this)[axis];
  return rows;
}

Shape Shape::with_cols(Index cols) const {
  if (rank_ == 0) throw ShapeError("Shape::with_cols: a scalar has no columns");
  Shape result = *this;
  --result.rank_;
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

void expect_shape(const char* op, const char* name, const Shape& actual, const Shape& expected) {
  if (actual != expected) throw ShapeError(cat(op, ": ", name, " is ", actual, ", expected ", expected));
}

void expect_rank(const char* op, const char* name, const Shape& actual, int rank) {
  if (actual.rank() != rank) throw ShapeError(cat(op, ": ", name, " is ", actual, ", expected rank ", rank));
}

}  // namespace dhyan
