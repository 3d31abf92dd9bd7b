#include "core/tensor.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "core/arena.h"
#include "core/error.h"
#include "core/huge_pages.h"

namespace dhyan {

namespace {

enum class Cleared { kNo, kYes };

// Large memory is the operating system's, which hands it out when it is first written to, and cleared.
std::shared_ptr<void> allocate(Index elements, Cleared cleared) {
  const std::size_t wanted = std::max<std::size_t>(1, static_cast<std::size_t>(elements)) * sizeof(Real);
  std::size_t room = wanted + Arena::kAlignment;
  void* const memory = cleared == Cleared::kYes ? std::calloc(room, 1) : std::malloc(room);
  if (memory == nullptr) throw std::bad_alloc();
  use_huge_pages(memory, room);
  void* aligned = memory;
  std::align(Arena::kAlignment, wanted, aligned, room);
  return {aligned, [memory](void*) { std::free(memory); }};
}

}  // namespace

Tensor Tensor::zeros(Shape shape) {
  std::shared_ptr<void> owner = allocate(shape.size(), Cleared::kYes);
  void* data = owner.get();
  return {shape, Dtype::kReal, data, std::move(owner)};
}

Tensor Tensor::uninitialized(Shape shape) {
  std::shared_ptr<void> owner = allocate(shape.size(), Cleared::kNo);
  void* data = owner.get();
  return {shape, Dtype::kReal, data, std::move(owner)};
}

Tensor Tensor::of(Shape shape, std::initializer_list<Real> values) {
  return of(shape, std::span<const Real>(values.begin(), values.size()));
}

Tensor Tensor::of(Shape shape, std::span<const Real> values) {
  if (static_cast<Index>(values.size()) != shape.size()) {
    throw ShapeError(cat("Tensor::of: ", values.size(), " values for shape ", shape, " of ", shape.size()));
  }
  Tensor tensor = uninitialized(shape);
  std::copy(values.begin(), values.end(), tensor.data());
  return tensor;
}

Tensor Tensor::in(Arena& arena, Shape shape, Dtype dtype) {
  return view(shape, dtype, arena.allocate(static_cast<std::size_t>(shape.size()) * bytes_of(dtype)));
}

Tensor Tensor::zeros_in(Arena& arena, Shape shape) {
  Tensor tensor = in(arena, shape);
  tensor.fill(0);
  return tensor;
}

std::span<Real> Tensor::row(Index r) const {
  if (r < 0 || r >= rows()) throw ShapeError(cat("Tensor::row: row ", r, " of a tensor ", shape_));
  return {data() + r * cols(), static_cast<std::size_t>(cols())};
}

Real Tensor::item() const {
  if (empty() || size() != 1) throw ShapeError(cat("Tensor::item: shape is ", shape_, ", expected one element"));
  return *data();
}

Tensor Tensor::reshaped(Shape shape) const {
  if (shape.size() != size()) {
    throw ShapeError(cat("Tensor::reshaped: ", shape_, " has ", size(), " elements, ", shape, " has ", shape.size()));
  }
  return {shape, Dtype::kReal, data(), owner_};
}

Tensor Tensor::row_range(Index begin, Index end) const {
  if (begin < 0 || end < begin || end > rows()) {
    throw ShapeError(cat("Tensor::row_range: rows ", begin, "..", end, " of a tensor ", shape_));
  }
  return {Shape{end - begin, cols()}, Dtype::kReal, data() + begin * cols(), owner_};
}

Tensor Tensor::clone() const {
  if (empty()) return {};
  return of(shape_, span());
}

void Tensor::fill(Real value) const { std::fill_n(data(), size(), value); }

}  // namespace dhyan
