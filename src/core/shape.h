#pragma once

#include <array>
#include <initializer_list>
#include <iosfwd>
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
  explicit Shape(std::span<const Index> extents);

  int rank() const { return rank_; }
  Index operator[](int axis) const { return extents_[static_cast<std::size_t>(axis)]; }
  Index size() const;  // number of elements

  // A tensor as a matrix: the last axis is the columns, all the others together are the rows.
  Index cols() const { return rank_ == 0 ? 1 : extents_[static_cast<std::size_t>(rank_ - 1)]; }
  Index rows() const;

  // The same leading axes, another last one.
  Shape with_cols(Index cols) const;

  friend bool operator==(const Shape& a, const Shape& b) = default;

 private:
  void append(Index extent);

  std::array<Index, kMaxRank> extents_{};
  int rank_ = 0;
};

std::string to_string(const Shape& shape);  // "[2,3]"
std::ostream& operator<<(std::ostream& out, const Shape& shape);

// Throw ShapeError("op: name is [2,3], expected [2,4]") unless the two agree.
void expect_shape(const char* op, const char* name, const Shape& actual, const Shape& expected);

// Throw ShapeError unless the rank is as expected.
void expect_rank(const char* op, const char* name, const Shape& actual, int rank);

}  // namespace dhyan
