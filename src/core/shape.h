#pragma once

#include <array>
#include <initializer_list>
#include <iosfwd>
#include <limits>
#include <span>
#include <string>

#include "core/real.h"

namespace dhyan {

// Extents of a row-major tensor of rank 0..4. Rank 0 is a scalar: one element.
class Shape {
 public:
  static constexpr int kMaxRank = 4;

  Shape() = default;
  Shape(std::initializer_list<Index> extents) : Shape(std::span(extents.begin(), extents.size())) {}
  explicit Shape(std::span<const Index> extents) {
    if (extents.size() > kMaxRank) refuse_rank(extents.size());
    for (const Index extent : extents) append(extent);
  }

  int rank() const { return rank_; }
  Index operator[](int axis) const { return extents_[static_cast<std::size_t>(axis)]; }
  Index size() const { return extents_[0] * extents_[1] * extents_[2] * extents_[3]; }  // number of elements

  // A tensor as a matrix: the last axis is the columns, all the others together are the rows.
  Index cols() const { return rank_ == 0 ? 1 : extents_[static_cast<std::size_t>(rank_ - 1)]; }
  Index rows() const {
    Index rows = 1;
    for (int axis = 0; axis + 1 < rank_; ++axis) rows *= (*this)[axis];
    return rows;
  }

  // The same shape with another last axis.
  Shape with_cols(Index cols) const;

  friend bool operator==(const Shape& a, const Shape& b) = default;

 private:
  // The size in bytes must not overflow either.
  static constexpr Index kMaxElements = std::numeric_limits<Index>::max() / static_cast<Index>(sizeof(Real));

  void append(Index extent) {
    Index elements = 0;
    const bool too_many = __builtin_mul_overflow(size(), extent, &elements) || elements > kMaxElements;
    if (extent < 0 || too_many) refuse_extent(extent);
    extents_[static_cast<std::size_t>(rank_++)] = extent;
  }

  [[noreturn]] static void refuse_rank(std::size_t rank);
  [[noreturn]] void refuse_extent(Index extent) const;

  std::array<Index, kMaxRank> extents_{1, 1, 1, 1};  // 1 beyond the rank
  int rank_ = 0;
};

std::string to_string(const Shape& shape);  // "[2,3]"
std::ostream& operator<<(std::ostream& out, const Shape& shape);

[[noreturn]] void refuse_shape(const char* op, const char* name, const Shape& actual, const Shape& expected);
[[noreturn]] void refuse_rank(const char* op, const char* name, const Shape& actual, int rank);

// Throws ShapeError("op: name is [2,3], expected [2,4]") unless the two agree.
inline void expect_shape(const char* op, const char* name, const Shape& actual, const Shape& expected) {
  if (actual != expected) refuse_shape(op, name, actual, expected);
}

// Throws ShapeError unless the rank is as expected.
inline void expect_rank(const char* op, const char* name, const Shape& actual, int rank) {
  if (actual.rank() != rank) refuse_rank(op, name, actual, rank);
}

}  // namespace dhyan
