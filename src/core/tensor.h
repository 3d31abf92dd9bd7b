#pragma once

#include <initializer_list>
#include <memory>
#include <span>

#include "core/dtype.h"
#include "core/matrix.h"
#include "core/shape.h"

namespace dhyan {

class Arena;

// A handle on row-major values. Copying a Tensor shares its storage; clone() does not. The storage is either owned
// together with the other handles, or lies in an arena (or in somebody else's memory) and ends with it.
class Tensor {
 public:
  Tensor() = default;  // empty: no storage, shape of no elements

  static Tensor zeros(Shape shape);                                                        // owned
  static Tensor uninitialized(Shape shape);                                                // owned
  static Tensor of(Shape shape, std::initializer_list<Real> values);                       // owned, row by row
  static Tensor of(Shape shape, std::span<const Real> values);                             // owned, row by row
  static Tensor in(Arena& arena, Shape shape, Dtype dtype = Dtype::kReal);                 // arena, uninitialised
  static Tensor zeros_in(Arena& arena, Shape shape);                                       // arena
  static Tensor view(Shape shape, Real* data) { return view(shape, Dtype::kReal, data); }  // not owned
  static Tensor view(Shape shape, Dtype dtype, void* data) { return {shape, dtype, data, nullptr}; }
  static Tensor part_of(std::shared_ptr<void> owner, Shape shape, Real* data) {  // shares the owner's memory
    return part_of(std::move(owner), shape, Dtype::kReal, data);
  }
  static Tensor part_of(std::shared_ptr<void> owner, Shape shape, Dtype dtype, void* data) {
    return {shape, dtype, data, std::move(owner)};
  }

  bool empty() const { return data_ == nullptr; }
  bool owned() const { return owner_ != nullptr; }
  Tensor borrowed() const {
    return {shape_, dtype_, data_, nullptr};
  }  // ends with this one's storage; nothing is counted
  const Shape& shape() const { return shape_; }
  Index size() const { return shape_.size(); }
  Index rows() const { return shape_.rows(); }
  Index cols() const { return shape_.cols(); }

  Dtype dtype() const { return dtype_; }
  void* storage() const { return data_; }  // whatever the dtype
  std::size_t bytes() const { return static_cast<std::size_t>(size()) * bytes_of(dtype_); }

  // Elements as Reals, and views of some of them. DtypeError for any other dtype.
  Real* data() const {
    expect_dtype("Tensor", dtype_, Dtype::kReal);
    return static_cast<Real*>(data_);
  }
  std::span<Real> span() const { return {data(), static_cast<std::size_t>(size())}; }
  std::span<Real> row(Index r) const;
  Matrix matrix() const { return {data(), rows(), cols(), cols()}; }
  Real item() const;  // the one number of a one-element tensor

  // Views: they share storage with this tensor.
  Tensor reshaped(Shape shape) const;
  Tensor row_range(Index begin, Index end) const;  // rows of the matrix view; rank becomes 2

  Tensor clone() const;  // owned, its own storage
  void fill(Real value) const;

 private:
  Tensor(Shape shape, Dtype dtype, void* data, std::shared_ptr<void> owner)
      : shape_(shape), data_(data), owner_(std::move(owner)), dtype_(dtype) {}

  Shape shape_{0};
  void* data_ = nullptr;
  std::shared_ptr<void> owner_;  // null when the storage is an arena's
  Dtype dtype_ = Dtype::kReal;
};

}  // namespace dhyan
